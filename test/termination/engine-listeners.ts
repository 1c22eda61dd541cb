type Listener = Parameters<AbortSignal["addEventListener"]>[1];

const add = AbortSignal.prototype.addEventListener;
const remove = AbortSignal.prototype.removeEventListener;

/** Counts the listeners that the engine has on abort signals. */
export interface EngineListeners {
  /** How many there are; those that a signal has called once are gone. */
  open(): number;
  /** Begins anew. */
  clear(): void;
  restore(): void;
}

/** Watches all abort signals of the process. What foreign code adds by {@link onAbort} does not count. */
export function watchListeners(): EngineListeners {
  const known = new Map<AbortSignal, Map<Listener, boolean>>();
  AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof add>) {
    const [, listener, options] = args;
    const own = known.get(this) ?? new Map<Listener, boolean>();
    known.set(this, own.set(listener, typeof options === "object" && options.once === true));
    add.apply(this, args);
  };
  AbortSignal.prototype.removeEventListener = function (this: AbortSignal, ...args: Parameters<typeof remove>) {
    known.get(this)?.delete(args[1]);
    remove.apply(this, args);
  };
  return {
    open: () => [...known].reduce((sum, [signal, own]) => sum + [...own.values()].filter((once) => !(once && signal.aborted)).length, 0),
    clear: () => {
      known.clear();
    },
    restore: () => {
      AbortSignal.prototype.addEventListener = add;
      AbortSignal.prototype.removeEventListener = remove;
    },
  };
}

/** Tells foreign code, such as a model or a tool, of an abort. */
export function onAbort(signal: AbortSignal | undefined, run: (reason: unknown) => void): void {
  if (signal === undefined) return;
  if (signal.aborted) run(signal.reason);
  else add.call(signal, "abort", () => { run(signal.reason); }, { once: true });
}

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { CompiledTool, InputHook } from "../../tools/compiled-tool.ts";
import { findTool } from "../../tools/find-tool.ts";
import type { LogRecord } from "../../util/logger.ts";
import { copyMessages } from "../calls/copy-messages.ts";

interface InputHooksOptions {
  /** Those that the model was told of. */
  tools: readonly CompiledTool[];
  /** The messages that the model answers. */
  messages: LanguageModelV4Prompt;
  signal: AbortSignal;
  log: (record: LogRecord) => void;
}

/**
 * Tells tools of the AI SDK how the input of their calls arrives. Hooks are called in order and not waited for; one that
 * throws or rejects is reported and hurts nobody.
 */
export class InputHooks {
  readonly #options: InputHooksOptions;
  /** One copy for all hooks of the step. */
  #messages: ReturnType<typeof copyMessages> | undefined;

  constructor(options: InputHooksOptions) {
    this.#options = options;
  }

  /** The arguments of a call begin to arrive. */
  start(tool: string, callID: string): void {
    this.#call("onInputStart", tool, callID, {});
  }

  /** A piece of the arguments has come. */
  delta(tool: string, callID: string, inputTextDelta: string): void {
    this.#call("onInputDelta", tool, callID, { inputTextDelta });
  }

  /** The arguments are complete, and valid. */
  available(tool: string, callID: string, input: unknown): void {
    this.#call("onInputAvailable", tool, callID, { input });
  }

  #call(name: InputHook, tool: string, toolCallId: string, given: object): void {
    const { tools, messages, signal, log } = this.#options;
    const hook = findTool(tools, tool)?.inputHooks?.[name];
    if (hook === undefined) return;
    const report = (error: unknown): void => {
      log({ level: "error", message: `The hook ${name} of tool "${tool}" failed.`, callID: toolCallId, error });
    };
    try {
      this.#messages ??= copyMessages(messages);
      const returned = hook({ ...given, toolCallId, messages: this.#messages, abortSignal: signal, context: undefined });
      if (returned instanceof Promise) returned.catch(report);
    } catch (error) {
      report(error);
    }
  }
}

/** Mostly no tool has any: then the stream's parts pass by no hooks at all. */
export function inputHooksOf(options: InputHooksOptions): InputHooks | undefined {
  return options.tools.some(({ inputHooks }) => inputHooks !== undefined) ? new InputHooks(options) : undefined;
}

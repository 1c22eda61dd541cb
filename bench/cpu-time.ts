/** CPU time of the whole process so far in milliseconds: user and system, all threads, garbage collection included. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU time that the work takes, in milliseconds. */
export async function cpuMsOf(work: () => Promise<void>): Promise<number> {
  const before = cpuTimeMs();
  await work();
  return cpuTimeMs() - before;
}

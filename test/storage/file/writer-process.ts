import { writeSync } from "node:fs";
import { fileStorage } from "../../../src/storage/file/index.ts";
import { promptRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";

/** Admits prompts, and says after each that it was written; or takes the lease and stays. */
const [directory = "", name = "", count = "", size = "0"] = process.argv.slice(2);
const storage = fileStorage(directory, { sync: "never" });
if (count === "lease") {
  await storage.acquireLease(sessionID, name, 60_000);
  writeSync(1, "taken\n");
  setInterval(() => undefined, 1_000);
} else {
  for (let index = 0; index < Number(count); index += 1) {
    const id = `msg_${name}_${index}`;
    const part = textPart(id, `prt_${index}`, "x".repeat(Number(size)));
    await storage.commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow(id), parts: [part] }] });
    writeSync(1, `${id}\n`);
  }
  await storage.close();
}

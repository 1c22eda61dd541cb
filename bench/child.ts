/** Runs one program of one case, as `child.js <case> <program> <size>`, and prints its figures as JSON. */
import { allCases } from "./all-cases.ts";

const [caseName = "", programName = "", size] = process.argv.slice(2);
const program = allCases[caseName]?.programs[programName];
if (program === undefined) throw new Error(`There is no program "${programName}" of a case "${caseName}".`);
console.log(JSON.stringify(await program(size === "quick" ? "quick" : "full")));

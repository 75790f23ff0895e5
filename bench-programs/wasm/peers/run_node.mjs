// Runs a WASI module with Node.js and tells its output, and the seconds that compiling it and all of it took.
//
// node run_node.mjs FILE SIZE
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { WASI } from "node:wasi";

// A fault is told in a line.
process.on("uncaughtException", (error) => {
    console.error(String(error));
    process.exit(1);
});
const [file, size] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "module-"));
const output = path.join(folder, "output");
const stdout = fs.openSync(output, "w");
const cpuTime = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
};
const cpu = cpuTime();
const wall = performance.now();
const module = new WebAssembly.Module(fs.readFileSync(file));
const ready = cpuTime() - cpu;
const wasi = new WASI({ version: "preview1", args: [file, size], stdout, returnOnExit: true });
const status = wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
const times = { ready, cpu: cpuTime() - cpu, wall: (performance.now() - wall) / 1e3 };
const printed = fs.readFileSync(output, "utf8");
fs.rmSync(folder, { recursive: true });
if (status) throw new Error(`it ended with status ${status}`);
console.log(JSON.stringify({ output: printed, ...times }));

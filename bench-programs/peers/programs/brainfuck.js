"use strict";
const SRC = "++++++++++[>++++++++++<-]>[<+>-]<[>+++++[>+++++++[>+++[>++>+<<-]<-]<-]>>>[>>+<<-]<<<<-]>>>>>.>.";

function brackets(code) {
  const jump = new Int32Array(code.length), stack = new Int32Array(64);
  let sp = 0;
  for (let i = 0; i < code.length; i++) {
    if (code[i] === "[") {
      stack[sp++] = i;
    } else if (code[i] === "]") {
      const open = stack[--sp];
      jump[open] = i;
      jump[i] = open;
    }
  }
  return jump;
}

function execute(code, jump, tape, start) {
  let sum = start, ptr = 0;
  for (let pc = 0; pc < code.length; pc++) {
    switch (code[pc]) {
      case ">": ptr++; break;
      case "<": ptr--; break;
      case "+": tape[ptr]++; break;
      case "-": tape[ptr]--; break;
      case ".": sum = (sum * 31 + tape[ptr]) & 0xFFFFFF; break;
      case "[": if (tape[ptr] === 0) pc = jump[pc]; break;
      case "]": if (tape[ptr] !== 0) pc = jump[pc]; break;
    }
  }
  return sum;
}

function bench(n) {
  const jump = brackets(SRC), tape = new Uint8Array(64);
  let sum = 0;
  for (let r = 0; r < n; r++) {
    tape.fill(0);
    tape[5] = r;
    sum = execute(SRC, jump, tape, sum);
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 1500))));

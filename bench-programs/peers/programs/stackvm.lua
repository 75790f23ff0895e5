local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")

local HALT, PUSH, DUP, SWAP, LOAD, STORE, FETCH, PUT, ADD, MUL, AND, XOR, SHR, JZ, JMP, LOOP =
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
local program = {
  PUSH, 0, PUSH, 12345,
  PUSH, 1000, STORE, 0,
  PUSH, 1103, MUL, 0, PUSH, 12347, ADD, 0, PUSH, 1048575, AND, 0, LOOP, 4,
  PUSH, 600, STORE, 0,
  DUP, 0, PUSH, 63, AND, 0, FETCH, 0, ADD, 0, PUSH, 1048575, AND, 0, LOOP, 13,
  PUSH, 100, STORE, 0,
  DUP, 0, PUSH, 1, SHR, 0, SWAP, 0, PUSH, 1, AND, 0, JZ, 32,
  PUSH, 589824, XOR, 0, LOOP, 23,
  DUP, 0, DUP, 0, PUSH, 63, AND, 0, PUT, 0,
  DUP, 0, STORE, 2, ADD, 0, PUSH, 16777215, AND, 0, LOAD, 2,
  LOAD, 1, PUSH, -1, ADD, 0, DUP, 0, STORE, 1, JZ, 51, JMP, 2,
  STORE, 2, HALT, 0,
}
local band, bxor, rshift = bit.band, bit.bxor, bit.rshift

local function run(code, stack, vars, mem)
  local pc, sp = 1, -1
  while true do
    local op, arg = code[pc], code[pc + 1]
    pc = pc + 2
    if op == PUSH then
      sp = sp + 1
      stack[sp] = arg
    elseif op == DUP then
      sp = sp + 1
      stack[sp] = stack[sp - 1]
    elseif op == AND then
      sp = sp - 1
      stack[sp] = band(stack[sp], stack[sp + 1])
    elseif op == ADD then
      sp = sp - 1
      stack[sp] = stack[sp] + stack[sp + 1]
    elseif op == LOOP then
      vars[0] = vars[0] - 1
      if vars[0] ~= 0 then pc = arg * 2 + 1 end
    elseif op == MUL then
      sp = sp - 1
      stack[sp] = stack[sp] * stack[sp + 1]
    elseif op == FETCH then
      stack[sp] = mem[stack[sp]]
    elseif op == SHR then
      sp = sp - 1
      stack[sp] = rshift(stack[sp], stack[sp + 1])
    elseif op == SWAP then
      stack[sp], stack[sp - 1] = stack[sp - 1], stack[sp]
    elseif op == JZ then
      if stack[sp] == 0 then pc = arg * 2 + 1 end
      sp = sp - 1
    elseif op == XOR then
      sp = sp - 1
      stack[sp] = bxor(stack[sp], stack[sp + 1])
    elseif op == LOAD then
      sp = sp + 1
      stack[sp] = vars[arg]
    elseif op == STORE then
      vars[arg] = stack[sp]
      sp = sp - 1
    elseif op == PUT then
      mem[stack[sp]] = stack[sp - 1]
      sp = sp - 2
    elseif op == JMP then
      pc = arg * 2 + 1
    else
      return stack[sp]
    end
  end
end

local function bench(n)
  local stack, vars, mem = {}, {}, {}
  for i = 0, 15 do stack[i] = 0 end
  for i = 0, 3 do vars[i] = 0 end
  for i = 0, 63 do mem[i] = 0 end
  vars[1] = n
  return run(program, stack, vars, mem)
end

print(string.format("%d", bench(tonumber(arg[1] or 40000))))

local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local HALT, RIGHT, LEFT, INC, DEC, OPEN, CLOSE, READ, WRITE = 0, 1, 2, 3, 4, 5, 6, 7, 8
local prog = ",[>,[->++<]>[-<+>]<<[>[->+>+<<]>>[-<<+>>]<<<-]>[-]>.[->>+<<]>>.<<<<,]"

local function assemble(code, target)
  local open, depth = {}, 0
  for i = 0, #prog - 1 do
    local c = prog:sub(i + 1, i + 1)
    if c == ">" then code[i] = RIGHT
    elseif c == "<" then code[i] = LEFT
    elseif c == "+" then code[i] = INC
    elseif c == "-" then code[i] = DEC
    elseif c == "," then code[i] = READ
    elseif c == "." then code[i] = WRITE
    elseif c == "[" then
      code[i] = OPEN
      open[depth] = i
      depth = depth + 1
    else
      code[i] = CLOSE
      depth = depth - 1
      target[i] = open[depth]
      target[open[depth]] = i
    end
  end
  code[#prog] = HALT
end

local function run(code, target, input)
  local tape = {}
  for i = 0, 63 do tape[i] = 0 end
  local at, nxt, sum, pc = 0, 0, 0, 0
  while true do
    local op = code[pc]
    if op == RIGHT then at = at + 1
    elseif op == LEFT then at = at - 1
    elseif op == INC then tape[at] = (tape[at] + 1) % 256
    elseif op == DEC then tape[at] = (tape[at] - 1) % 256
    elseif op == OPEN then if tape[at] == 0 then pc = target[pc] end
    elseif op == CLOSE then if tape[at] ~= 0 then pc = target[pc] end
    elseif op == READ then
      tape[at] = input[nxt]
      nxt = nxt + 1
    elseif op == WRITE then sum = (sum * 31 + tape[at]) % 16777216
    else return sum
    end
    pc = pc + 1
  end
end

local function bench(n)
  local code, target, input = {}, {}, {}
  assemble(code, target)
  for i = 0, n - 1 do
    input[2 * i] = 1 + rnd(9)
    input[2 * i + 1] = 1 + rnd(120)
  end
  input[2 * n] = 0
  return run(code, target, input)
end

print(string.format("%d", bench(tonumber(arg[1] or 40000))))

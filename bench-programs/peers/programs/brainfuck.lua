local SRC = "++++++++++[>++++++++++<-]>[<+>-]<[>+++++[>+++++++[>+++[>++>+<<-]<-]<-]>>>[>>+<<-]<<<<-]>>>>>.>."
local RIGHT, LEFT, INC, DEC, WRITE, OPEN, CLOSE = ("><+-.[]"):byte(1, 7)

local function brackets(code)
  local jump, stack, sp = {}, {}, 0
  for i = 1, #code do
    local c = code:byte(i)
    if c == OPEN then
      stack[sp] = i
      sp = sp + 1
    elseif c == CLOSE then
      sp = sp - 1
      local open = stack[sp]
      jump[open] = i
      jump[i] = open
    end
  end
  return jump
end

local function execute(code, jump, tape, start)
  local sum, ptr, pc, size = start, 0, 1, #code
  while pc <= size do
    local op = code:byte(pc)
    if op == RIGHT then ptr = ptr + 1
    elseif op == LEFT then ptr = ptr - 1
    elseif op == INC then tape[ptr] = (tape[ptr] + 1) % 256
    elseif op == DEC then tape[ptr] = (tape[ptr] - 1) % 256
    elseif op == WRITE then sum = (sum * 31 + tape[ptr]) % 16777216
    elseif op == OPEN then if tape[ptr] == 0 then pc = jump[pc] end
    elseif op == CLOSE then if tape[ptr] ~= 0 then pc = jump[pc] end
    end
    pc = pc + 1
  end
  return sum
end

local function bench(n)
  local jump, tape, sum = brackets(SRC), {}, 0
  for r = 0, n - 1 do
    for i = 0, 63 do tape[i] = 0 end
    tape[5] = r % 256
    sum = execute(SRC, jump, tape, sum)
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 1500))))

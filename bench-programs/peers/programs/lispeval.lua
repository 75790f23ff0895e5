local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")

local rshift = bit.rshift
local CELLS = 1000000
local NIL, IF, QUOTE, DEFINE, PLUS, MINUS, LESS, EQUAL, CONS, CAR, CDR = 0, -2, -4, -6, -8, -10, -12, -14, -16, -18, -20
local names = { "if", "quote", "define", "+", "-", "<", "=", "cons", "car", "cdr" }
local globals, head, tail, used, at = {}, {}, {}, 1, 1
for i = 0, 31 do globals[i] = NIL end
for i = 0, CELLS - 1 do head[i], tail[i] = NIL, NIL end

local function cons(a, b)
  head[used] = a
  tail[used] = b
  used = used + 1
  return (used - 1) * 2
end

local read

local function read_list(src)
  while src:sub(at, at) == " " do at = at + 1 end
  if src:sub(at, at) == ")" then
    at = at + 1
    return NIL
  end
  local first = read(src)
  return cons(first, read_list(src))
end

function read(src)
  while src:sub(at, at) == " " do at = at + 1 end
  if src:sub(at, at) == "(" then
    at = at + 1
    return read_list(src)
  end
  local start = at
  while src:sub(at, at) ~= " " and src:sub(at, at) ~= ")" do at = at + 1 end
  local word = src:sub(start, at - 1)
  if word:find("^%d") then return tonumber(word) * 2 + 1 end
  for s = 1, #names do
    if names[s] == word then return -2 * s end
  end
  names[#names + 1] = word
  return -2 * #names
end

local function lookup(symbol, scope)
  local s = scope
  while s ~= NIL do
    local pair = head[rshift(s, 1)]
    if head[rshift(pair, 1)] == symbol then return tail[rshift(pair, 1)] end
    s = tail[rshift(s, 1)]
  end
  return globals[rshift(-symbol, 1)]
end

local function second(list) return head[rshift(tail[rshift(list, 1)], 1)] end

local function eval(e, env)
  while true do
    if e % 2 == 1 or e == NIL then return e end
    if e < 0 then return lookup(e, env) end
    local f, args = head[rshift(e, 1)], tail[rshift(e, 1)]
    if f == IF then
      local rest = tail[rshift(args, 1)]
      if eval(head[rshift(args, 1)], env) ~= NIL then e = head[rshift(rest, 1)] else e = second(rest) end
    elseif f == QUOTE then
      return head[rshift(args, 1)]
    elseif f == DEFINE then
      globals[rshift(-head[rshift(args, 1)], 1)] = tail[rshift(args, 1)]
      return NIL
    elseif f == CAR then
      return head[rshift(eval(head[rshift(args, 1)], env), 1)]
    elseif f == CDR then
      return tail[rshift(eval(head[rshift(args, 1)], env), 1)]
    elseif f == PLUS or f == MINUS or f == LESS or f == EQUAL or f == CONS then
      local a = eval(head[rshift(args, 1)], env)
      local b = eval(second(args), env)
      if f == PLUS then return a + b - 1
      elseif f == MINUS then return a - b + 1
      elseif f == LESS then return a < b and 1 or 0
      elseif f == EQUAL then return a == b and 1 or 0
      else return cons(a, b)
      end
    else
      local lambda = globals[rshift(-f, 1)]
      local params, arg, inner = head[rshift(lambda, 1)], args, NIL
      while params ~= NIL do
        local value = eval(head[rshift(arg, 1)], env)
        inner = cons(cons(head[rshift(params, 1)], value), inner)
        params = tail[rshift(params, 1)]
        arg = tail[rshift(arg, 1)]
      end
      e = second(lambda)
      env = inner
    end
  end
end

local function parse(src)
  at = 1
  return read(src)
end

local function bench(n)
  local definitions = {
    "(define fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))) )",
    "(define count (n sum) (if (= n 0) sum (count (- n 1) (+ sum n))) )",
    "(define range (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ())) )",
    "(define evens (l) (if (= l (quote ())) 0 (if (< (car l) 10) (evens (cdr l)) (+ (car l) (evens (cdr l))))) )",
  }
  for i = 1, 4 do eval(parse(definitions[i]), NIL) end
  local sources, sum = { "(fib 16) ", "(count 5000 0) ", "(evens (range 1 1500)) " }, 0
  for i = 1, 3 do
    local e = parse(sources[i])
    local base = used
    for _ = 1, n do
      local value = rshift(eval(e, NIL), 1)
      sum = (sum * 7 + value + used) % 4294967296
      used = base
    end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 1000))))

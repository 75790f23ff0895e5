local floor = math.floor
local MODULUS = 1000003
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local function formula(depth)
  if depth == 0 or rnd(8) == 0 then
    if rnd(2) == 0 then return ({ "x", "y", "zeta" })[rnd(3) + 1] end
    return ("%d"):format(rnd(rnd(3) * 50 + 2))
  end
  local a = formula(depth - 1)
  local b = formula(depth - 1)
  local k = rnd(7)
  if k <= 1 then return a .. " + " .. b end
  if k == 2 then return a .. " - " .. b end
  if k == 3 then return "(" .. a .. ") * (" .. b .. ")" end
  if k == 4 then return a .. " * " .. b end
  if k == 5 then return "(" .. a .. ") / (" .. b .. ")" end
  return "-(" .. a .. " + " .. b .. ")"
end

local function tokens(text)
  local found, at = {}, 1
  while at <= #text do
    local number = text:match("^%d+", at)
    local name = not number and text:match("^%l+", at)
    if number then
      found[#found + 1] = { kind = "number", value = tonumber(number) }
      at = at + #number
    elseif name then
      found[#found + 1] = { kind = "name", value = name }
      at = at + #name
    else
      local c = text:sub(at, at)
      if c ~= " " then found[#found + 1] = { kind = "sign", value = c } end
      at = at + 1
    end
  end
  found[#found + 1] = { kind = "end", value = "" }
  return found
end

local function constant(n) return { kind = "constant", n = n } end

local Parser = {}
Parser.__index = Parser

function Parser:sign(signs)
  local token = self.tokens[self.at]
  if token.kind == "sign" and signs:find(token.value, 1, true) then
    self.at = self.at + 1
    return token.value
  end
end

function Parser:sum()
  local left = self:product()
  local op = self:sign("+-")
  while op do
    left = { kind = "binary", op = op, left = left, right = self:product() }
    op = self:sign("+-")
  end
  return left
end

function Parser:product()
  local left = self:factor()
  local op = self:sign("*/")
  while op do
    left = { kind = "binary", op = op, left = left, right = self:factor() }
    op = self:sign("*/")
  end
  return left
end

function Parser:factor()
  local token = self.tokens[self.at]
  self.at = self.at + 1
  if token.kind == "number" then return constant(token.value) end
  if token.kind == "name" then return { kind = "variable", name = token.value } end
  if token.value == "-" then return { kind = "negated", inner = self:factor() } end
  if token.value == "(" then
    local inner = self:sum()
    if not self:sign(")") then error("expected )") end
    return inner
  end
  error("unexpected " .. token.value)
end

local function applied(op, a, b)
  if op == "+" then return (a + b) % MODULUS end
  if op == "-" then return (a - b) % MODULUS end
  if op == "*" then return a * b % MODULUS end
  return b == 0 and 0 or floor(a / b)
end

local function is(e, n) return e.kind == "constant" and e.n == n end

local function simple(e)
  if e.kind == "negated" then
    local inner = simple(e.inner)
    if inner.kind == "constant" then return constant(-inner.n % MODULUS) end
    if inner.kind == "negated" then return inner.inner end
    return { kind = "negated", inner = inner }
  elseif e.kind == "binary" then
    local op, l, r = e.op, simple(e.left), simple(e.right)
    if l.kind == "constant" and r.kind == "constant" then return constant(applied(op, l.n, r.n)) end
    if op == "+" and is(l, 0) then return r end
    if (op == "+" or op == "-") and is(r, 0) then return l end
    if op == "*" and is(l, 1) then return r end
    if (op == "*" or op == "/") and is(r, 1) then return l end
    if op == "*" and (is(l, 0) or is(r, 0)) then return constant(0) end
    return { kind = "binary", op = op, left = l, right = r }
  end
  return e
end

local function value(e, variables)
  local kind = e.kind
  if kind == "constant" then return e.n end
  if kind == "variable" then return variables[e.name] end
  if kind == "negated" then return -value(e.inner, variables) % MODULUS end
  return applied(e.op, value(e.left, variables), value(e.right, variables))
end

local function bench(n)
  local total = 0
  for i = 0, n * 100 - 1 do
    local text = formula(5)
    local e = simple(setmetatable({ tokens = tokens(text), at = 1 }, Parser):sum())
    local variables = { x = i % 1000, y = 7, zeta = rnd(1000) }
    for round = 0, 4 do
      total = (total * 31 + value(e, variables)) % 4294967296
      variables.y = variables.y + round
    end
    total = (total + #text) % 4294967296
  end
  return total
end

print(string.format("%d", bench(tonumber(arg[1] or 400))))

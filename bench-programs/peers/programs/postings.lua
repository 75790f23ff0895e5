local floor = math.floor
local DOCUMENTS = 1000
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local function word() return "w" .. rnd(1 + rnd(1 + rnd(400))) end

local function build(documents)
  local index = { places = {}, tags = {}, words = 0 }
  for id = 0, documents - 1 do
    for at = 0, 19 + rnd(20) do
      local w = word()
      local list = index.places[w]
      if not list then
        list = {}
        index.places[w] = list
        index.words = index.words + 1
      end
      list[#list + 1] = { id, at }
    end
    for _ = 1, 1 + rnd(2) do
      local tag = "tag" .. rnd(12)
      if not index.tags[tag] then index.tags[tag] = {} end
      index.tags[tag][id] = true
    end
  end
  return index
end

local function documents(index, w)
  local found = {}
  for _, place in ipairs(index.places[w] or {}) do
    local last = found[#found]
    if last and last[1] == place[1] then
      found[#found] = { last[1], last[2] + 1 }
    else
      found[#found + 1] = { place[1], 1 }
    end
  end
  return found
end

local function both(a, b)
  local found, i, k = {}, 1, 1
  while i <= #a and k <= #b do
    local x, y = a[i][1], b[k][1]
    if x == y then found[#found + 1] = { x, a[i][2] + b[k][2] } end
    if x <= y then i = i + 1 end
    if y <= x then k = k + 1 end
  end
  return found
end

local function phrase(index, first, second)
  local after, found = {}, {}
  for _, p in ipairs(index.places[second] or {}) do after[p[1] * 1024 + p[2]] = true end
  for _, p in ipairs(index.places[first] or {}) do
    if after[p[1] * 1024 + p[2] + 1] then found[#found + 1] = p end
  end
  return found
end

local function search(index)
  local a, b = word(), word()
  local tag = "tag" .. rnd(12)
  if rnd(4) == 0 then
    local sum = 0
    for _, p in ipairs(phrase(index, a, b)) do sum = (sum * 7 + p[1]) % 65536 end
    return sum
  end
  local tagged, hits = index.tags[tag], {}
  for _, hit in ipairs(both(documents(index, a), documents(index, b))) do
    if tagged[hit[1]] then hits[#hits + 1] = hit end
  end
  table.sort(hits, function(p, q)
    if p[2] ~= q[2] then return p[2] > q[2] end
    return p[1] < q[1]
  end)
  local sum = #hits
  for i = 1, math.min(10, #hits) do sum = (sum * 31 + hits[i][1] + hits[i][2]) % 1048576 end
  return sum
end

local function bench(n)
  local index = build(DOCUMENTS)
  local sum = index.words
  for _ = 1, n * 100 do sum = (sum * 31 + search(index)) % 4294967296 end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 120))))

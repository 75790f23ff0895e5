local floor, byte = math.floor, string.byte
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local Cache = {}
Cache.__index = Cache

function Cache.new(room)
  return setmetatable({ room = room, count = 0, entries = {}, oldest = nil, newest = nil, hits = 0, misses = 0 }, Cache)
end

function Cache:unlink(entry)
  if entry.older then entry.older.newer = entry.newer else self.oldest = entry.newer end
  if entry.newer then entry.newer.older = entry.older else self.newest = entry.older end
end

function Cache:append(entry)
  entry.older = self.newest
  entry.newer = nil
  if self.newest then self.newest.newer = entry else self.oldest = entry end
  self.newest = entry
end

function Cache:fetch(key, load)
  local found = self.entries[key]
  if found then
    self.hits = self.hits + 1
    self:unlink(found)
    self:append(found)
    return found.value
  end
  self.misses = self.misses + 1
  if self.count == self.room then
    local oldest = self.oldest
    self:unlink(oldest)
    self.entries[oldest.key] = nil
    self.count = self.count - 1
  end
  local entry = { key = key, value = load(key) }
  self.entries[key] = entry
  self.count = self.count + 1
  self:append(entry)
  return entry.value
end

function Cache:forget(key)
  local entry = self.entries[key]
  if not entry then return false end
  self:unlink(entry)
  self.entries[key] = nil
  self.count = self.count - 1
  return true
end

local function bench(n)
  local keys, kinds = {}, { "guide", "news", "map" }
  for i = 0, 3999 do keys[i] = "/pages/" .. kinds[i % 3 + 1] .. "/" .. i end
  local cache = Cache.new(500)
  local loaded, forgotten = 0, 0
  local function load(key)
    loaded = loaded + #key
    return { title = key:sub(8), size = #key * 100 + byte(key, #key), views = 0 }
  end
  local sum = 0
  for _ = 1, n * 1000 do
    local key
    if rnd(3) == 0 then key = keys[rnd(4000)] else key = keys[rnd(1 + rnd(600))] end
    if rnd(50) == 0 then
      if cache:forget(key) then forgotten = forgotten + 1 end
    else
      local page = cache:fetch(key, load)
      page.views = page.views + 1
      sum = (sum * 31 + page.size + page.views) % 4294967296
    end
  end
  return (sum + cache.hits * 3 + cache.misses + loaded + forgotten * 7) % 4294967296
end

print(string.format("%d", bench(tonumber(arg[1] or 3000))))

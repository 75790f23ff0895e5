local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local LINES, STATIONS = 4, 3
local ARRIVE, START, FINISH, MOVE, FAIL, REPAIR = 0, 1, 2, 3, 4, 5

local function schedule(q, time, kind, station)
  local events, i, event = q.events, q.size, time * 65536 + kind * 256 + station
  q.size = i + 1
  while i > 0 do
    local parent = floor((i - 1) / 2)
    if events[parent] <= event then break end
    events[i] = events[parent]
    i = parent
  end
  events[i] = event
end

local function following(q)
  local events, size, i = q.events, q.size - 1, 0
  local first, event = events[0], events[size]
  q.size = size
  while true do
    local child = 2 * i + 1
    if child >= size then break end
    if child + 1 < size and events[child + 1] < events[child] then child = child + 1 end
    if events[child] >= event then break end
    events[i] = events[child]
    i = child
  end
  events[i] = event
  return first
end

local function simulate(q, stations, count)
  local hash = 0
  for _ = 1, count do
    local event = following(q)
    local now, id, kind = floor(event / 65536), event % 256, floor(event / 256) % 256
    local s = stations[id]
    if kind == ARRIVE then
      s.waiting = s.waiting + 1
      schedule(q, now, START, id)
      schedule(q, now + 24, ARRIVE, id)
    elseif kind == START then
      if not (s.busy or s.broken or s.waiting == 0) then
        s.busy = true
        s.waiting = s.waiting - 1
        s.idle = s.idle + now - s.idle_since
        schedule(q, now + s.service, FINISH, id)
      end
    elseif kind == FINISH then
      s.busy = false
      s.finished = s.finished + 1
      s.idle_since = now
      if s.waiting > 0 then schedule(q, now, START, id) end
      if id % STATIONS < STATIONS - 1 then schedule(q, now + 3, MOVE, id + 1) end
      if id % STATIONS == 1 and rnd(100) == 0 then schedule(q, now + 1, FAIL, id) end
    elseif kind == MOVE then
      s.waiting = s.waiting + 1
      schedule(q, now, START, id)
    elseif kind == FAIL then
      if not s.broken then schedule(q, now + 100 + rnd(100), REPAIR, id) end
      s.broken = true
    elseif kind == REPAIR then
      s.broken = false
      hash = (hash * 31 + now + s.waiting) % 16777216
      if s.waiting > 0 then schedule(q, now, START, id) end
    end
  end
  return hash
end

local function bench(n)
  local q, stations, sum = { events = {}, size = 0 }, {}, 0
  for i = 0, 255 do q.events[i] = 0 end
  for i = 0, LINES * STATIONS - 1 do
    stations[i] = {
      waiting = 0, busy = false, broken = false, service = 16 + i % 5, finished = 0, idle_since = 0, idle = 0,
    }
    if i % STATIONS == 0 then schedule(q, i * 2, ARRIVE, i) end
  end
  for _ = 1, n do sum = sum + simulate(q, stations, 1000) end
  for i = 0, LINES * STATIONS - 1 do
    local s = stations[i]
    sum = sum + s.waiting * 3 + s.finished * 5 + s.idle * 7
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 30000))))

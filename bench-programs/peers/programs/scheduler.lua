local floor = math.floor
local TASKS, WORKERS = 2000, 4
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local Heap = {}
Heap.__index = Heap

function Heap.new(before) return setmetatable({ size = 0, before = before }, Heap) end

function Heap:put(item)
  local before = self.before
  self.size = self.size + 1
  local at = self.size
  while at > 1 do
    local parent = floor(at / 2)
    if not before(item, self[parent]) then break end
    self[at] = self[parent]
    at = parent
  end
  self[at] = item
end

function Heap:take()
  local before, size = self.before, self.size
  if size == 0 then return nil end
  local least, last = self[1], self[size]
  self[size] = nil
  size = size - 1
  self.size = size
  if size == 0 then return least end
  local at = 1
  while true do
    local child = 2 * at
    if child > size then break end
    if child < size and before(self[child + 1], self[child]) then child = child + 1 end
    if not before(self[child], last) then break end
    self[at] = self[child]
    at = child
  end
  self[at] = last
  return least
end

local function task_of(id, priority, cost) return { id = id, priority = priority, cost = cost, missing = 0, next = {} } end

-- The task with the number id is at id + 1.
local function plan()
  local tasks = {}
  for id = 0, TASKS - 1 do
    local priority = rnd(10)
    local task = task_of(id, priority, 1 + rnd(50))
    if id > 20 then
      for _ = 1, rnd(4) do
        local next = tasks[id - rnd(20)].next
        next[#next + 1] = id
        task.missing = task.missing + 1
      end
    end
    tasks[id + 1] = task
  end
  return tasks
end

local function run(tasks)
  local ready = Heap.new(function(a, b) return a.priority > b.priority or a.priority == b.priority and a.id < b.id end)
  local running = Heap.new(function(a, b) return a.time < b.time or a.time == b.time and a.id < b.id end)
  for _, task in ipairs(tasks) do
    if task.missing == 0 then ready:put(task) end
  end
  local now, busy, order = 0, 0, 0
  while true do
    while busy < WORKERS do
      local task = ready:take()
      if not task then break end
      running:put({ time = now + task.cost, id = task.id })
      busy = busy + 1
    end
    local ended = running:take()
    if not ended then return now + order end
    now = ended.time
    busy = busy - 1
    order = (order * 31 + ended.id) % 1048576
    local done = tasks[ended.id + 1]
    if done.priority == 0 and rnd(16) == 0 then
      done.priority = 5
      ready:put(done)
    else
      for _, id in ipairs(done.next) do
        local task = tasks[id + 1]
        task.missing = task.missing - 1
        if task.missing == 0 then ready:put(task) end
      end
      if rnd(8) == 0 then
        local priority = rnd(5)
        local extra = task_of(#tasks, priority, 1 + rnd(9))
        tasks[#tasks + 1] = extra
        ready:put(extra)
      end
    end
  end
end

local function bench(n)
  local sum = 0
  for _ = 1, n do
    local tasks = plan()
    sum = (sum * 31 + run(tasks) + #tasks) % 4294967296
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 800))))

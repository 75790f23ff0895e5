text = """$ cd /
$ ls
dir a
14848514 b.txt
8504156 c.dat
dir d
$ cd a
$ ls
dir e
29116 f
2557 g
62596 h.lst
$ cd e
$ ls
584 i
$ cd ..
$ cd ..
$ cd d
$ ls
4060174 j
8033020 d.log
5626152 d.ext
7214296 k"""
path, sizes = [], {}
for line in text.splitlines():
    match line.split():
        case ["$", "cd", ".."]: path.pop()
        case ["$", "cd", name]: path.append(name)
        case ["$", _] | ["dir", _]: pass
        case [size, _]:
            for i in range(len(path)):
                key = "/".join(path[:i + 1])
                sizes[key] = sizes.get(key, 0) + int(size)
print(sum(s for s in sizes.values() if s <= 100000))
print(min(s for s in sizes.values() if s >= sizes["/"] - 40000000))

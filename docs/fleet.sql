-- Views of the tables of many runs, which `holloway export --to csv` wrote into `tables/*/`. See docs/fleet.md.

CREATE OR REPLACE VIEW runs AS FROM read_csv('tables/*/runs.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'args': 'VARCHAR'});
CREATE OR REPLACE VIEW functions AS FROM read_csv('tables/*/functions.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'function_hash': 'VARCHAR'});
CREATE OR REPLACE VIEW versions AS FROM read_csv('tables/*/versions.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'function_hash': 'VARCHAR'});
CREATE OR REPLACE VIEW lines AS FROM read_csv('tables/*/lines.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'function_hash': 'VARCHAR'});
CREATE OR REPLACE VIEW samples AS FROM read_csv('tables/*/samples.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'function_hash': 'VARCHAR'});
CREATE OR REPLACE VIEW loops AS FROM read_csv('tables/*/loops.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'function_hash': 'VARCHAR', 'expected_gain': 'DOUBLE', 'measured_gain': 'DOUBLE', 'estimated_gain': 'DOUBLE', 'dropped': 'VARCHAR', 'declined': 'VARCHAR'});
CREATE OR REPLACE VIEW events AS FROM read_csv('tables/*/events.csv', union_by_name = true, types = {'run': 'VARCHAR', 'program_hash': 'VARCHAR', 'details': 'JSON'});

-- Which texts of a program ran; a release is one of them, counted in the order in which they were first seen.
CREATE OR REPLACE VIEW programs AS
SELECT program, program_hash, count(*) AS runs, sum(cpu_us) / 1e6 AS cpu_s, min(date) AS first_seen, max(date) AS last_seen,
       row_number() OVER (PARTITION BY program ORDER BY min(date), program_hash) AS release
FROM runs
GROUP BY program, program_hash;

-- Which release each run is of. Rows of runs are joined with it by the run: several programs may have one text, and then one hash.
CREATE OR REPLACE VIEW releases AS
SELECT run, program, release
FROM runs JOIN programs USING (program, program_hash);

-- Where the time of all runs of a release goes.
CREATE OR REPLACE VIEW hottest_functions AS
SELECT program, release, function, function_hash, sum(own_us) / 1e6 AS own_s,
       sum(own_us) / sum(sum(own_us)) OVER (PARTITION BY program, release) AS share, sum(runtime_us) / 1e6 AS runtime_s
FROM functions JOIN releases USING (run)
GROUP BY program, release, function, function_hash
ORDER BY own_s DESC;

CREATE OR REPLACE VIEW hottest_lines AS
SELECT program, release, file, line, function, sum(own_us) / 1e6 AS own_s,
       sum(own_us) / sum(sum(own_us)) OVER (PARTITION BY program, release) AS share
FROM lines JOIN releases USING (run)
GROUP BY program, release, file, line, function
ORDER BY own_s DESC;

-- How much of the time ran in which tier.
CREATE OR REPLACE VIEW tiers AS
SELECT program, release, tier, sum(own_us) / 1e6 AS own_s,
       sum(own_us) / sum(sum(own_us)) OVER (PARTITION BY program, release) AS share
FROM versions JOIN releases USING (run)
GROUP BY program, release, tier
ORDER BY program, release, own_s DESC;

-- Functions that became hot from one release to the next; those of one name, such as closures, are taken together.
CREATE OR REPLACE VIEW hotter AS
WITH by_name AS (
    SELECT program, release, function, sum(share) AS share, min(function_hash) AS function_hash
    FROM hottest_functions
    GROUP BY program, release, function
)
SELECT later.program, later.release, later.function, coalesce(earlier.share, 0) AS share_before, later.share AS share_after,
       earlier.function_hash IS DISTINCT FROM later.function_hash AS body_changed
FROM by_name AS later
LEFT JOIN by_name AS earlier
  ON earlier.program = later.program AND earlier.release = later.release - 1 AND earlier.function = later.function
WHERE later.release > 1 AND later.share > coalesce(earlier.share, 0)
ORDER BY share_after - share_before DESC;

-- What was expected of traces, and what was measured.
CREATE OR REPLACE VIEW traces AS
SELECT program, release, function, loop_line, count(*) AS profiles, avg(coalesce(expected_gain, estimated_gain)) AS expected,
       avg(measured_gain) AS measured, count(dropped) AS dropped
FROM loops JOIN releases USING (run)
WHERE estimated_gain IS NOT NULL
GROUP BY program, release, function, loop_line
ORDER BY program, release, function, loop_line;

-- Loops whose traces gained in a release and lose, or are dropped, in the next one. Lines may have moved: loops are matched by their function.
CREATE OR REPLACE VIEW regressed AS
SELECT later.program, later.release, later.function, later.loop_line, earlier.measured AS measured_before, later.measured AS measured_after,
       later.dropped
FROM traces AS later
JOIN traces AS earlier
  ON earlier.program = later.program AND earlier.release = later.release - 1 AND earlier.function = later.function
WHERE earlier.measured > 0 AND (later.measured < 0 OR later.dropped > earlier.dropped)
ORDER BY later.program, later.release;

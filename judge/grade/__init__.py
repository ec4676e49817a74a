"""Many submissions of one problem, judged to one table: a course, a contest, a folder in CI."""

"""A Grading in the formats that other systems read, each escaped in its own way."""

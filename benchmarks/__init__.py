"""What ``make bench`` measures: each figure beside a reference timed in the same run."""

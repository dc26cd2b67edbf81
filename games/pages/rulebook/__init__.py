"""The pages of the rules, with examples that the rules themselves play."""

"""Filed games and house choices: rule sets, limits, promotions, rules of the State."""

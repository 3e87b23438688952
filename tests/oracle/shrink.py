"""The shortest list that still fails: pieces are left out as long as it does."""


def shortest(items, fails, tries=200):
    size = len(items) // 2
    while size and tries > 0:
        at = 0
        while at < len(items) and tries > 0:
            tries -= 1
            fewer = items[:at] + items[at + size:]
            if fewer and fails(fewer):
                items = fewer
            else:
                at += size
        size //= 2
    return items

"""The follow table as events, and what its two indexes must hold."""
import json

MAPPING = """source: guanzhu
indexes:
  fensi:
    table: fensi
    row: '{f1:from}'
    columns:
      'f1:{row}': ''
"""
COPY = """source: raw
indexes:
  copy:
    table: guanzhu
    row: '{row}'
    columns: { 'f1:from': '{f1:from}' }
"""  # makes the source table: an embedded store takes cells from `fensi run` only
MAPPING_WITH_TIME = MAPPING.replace(": ''\n", ": '{f1:from@ts | decimal}'\n")


def cell(kind, column, ts, value=None):
    out = {"type": kind, "column": column, "ts": ts}
    if value is not None:
        out["value"] = value
    return out


def event(row, *cells, table="guanzhu", seq=0):
    out = {"table": table, "row": row, "cells": list(cells)}
    if seq:
        out["seq"] = seq
    return json.dumps(out) + "\n"


def follow(row, followed, ts):
    return event(row, cell("put", "f1:from", ts, followed))


def unfollow(row, ts):
    return event(row, cell("delete_column", "f1:from", ts))

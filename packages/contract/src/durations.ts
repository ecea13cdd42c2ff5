/** Durations in milliseconds. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** So far ahead of ours may the clock of a device be: a report that claims to be later is refused. */
export const aheadMs = 10 * minuteMs

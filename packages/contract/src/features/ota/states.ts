/** Per-device upgrade states as one pure table (spec 4, decisions.md 2 "OTA moves", screens.md 22). */
export const OtaStatus = {
  waiting: 101,
  pushed: 301,
  updating: 401,
  failed: 402,
  success: 501,
  higher: 601,
  cancelled: 701,
} as const
export type OtaStatus = (typeof OtaStatus)[keyof typeof OtaStatus]
export const otaStatusLabels: Record<OtaStatus, string> = {
  101: '未开始',
  301: '已推送',
  401: '升级中',
  402: '升级失败',
  501: '升级成功',
  601: '版本过高',
  701: '已取消',
}

export const otaEvents = ['push', 'progress', 'fail', 'timeout', 'arrive', 'higher', 'cancel', 'retry'] as const
export type OtaEvent = (typeof otaEvents)[number]

const moves: Record<OtaStatus, Partial<Record<OtaEvent, OtaStatus>>> = {
  // Before the push it fails when the window closes or the device cannot take this package.
  101: { push: 301, fail: 402, timeout: 402, arrive: 501, higher: 601, cancel: 701 },
  301: { progress: 401, fail: 402, timeout: 402, arrive: 501, higher: 601, cancel: 701 },
  401: { progress: 401, fail: 402, timeout: 402, arrive: 501, higher: 601, cancel: 701 },
  402: { retry: 101 },
  501: {},
  601: { retry: 101 },
  701: { retry: 101 },
}

/** undefined: not a legal move. */
export const nextOtaStatus = (from: OtaStatus, event: OtaEvent): OtaStatus | undefined => moves[from][event]

export const isOtaOpen = (status: OtaStatus): boolean => status < 402

/** spec 4: task states. */
export const OtaTaskStatus = { waiting: 1, running: 2, done: 3, cancelled: 4 } as const
export type OtaTaskStatus = (typeof OtaTaskStatus)[keyof typeof OtaTaskStatus]
export const otaTaskStatusLabels: Record<OtaTaskStatus, string> = {
  1: '未升级',
  2: '升级中',
  3: '已升级',
  4: '已取消',
}

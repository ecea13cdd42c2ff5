import { businessTypeLabels } from '@ithings/contract/endpoint.ts'
import {
  builtInRoleLabels,
  EnabledStatus,
  enabledStatusLabels,
  Sex,
  sexLabels,
} from '@ithings/contract/features/users.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const statusLooks: StatusLooks = {
  [EnabledStatus.enabled]: { text: enabledStatusLabels[EnabledStatus.enabled], tone: 'success' },
  [EnabledStatus.disabled]: { text: enabledStatusLabels[EnabledStatus.disabled], tone: 'error' },
}

export const statusOptions = Object.values(EnabledStatus).map((value) => ({
  value,
  label: enabledStatusLabels[value],
}))

export const sexOptions = Object.values(Sex).map((value) => ({ value, label: sexLabels[value] }))

/** spec 3: each operation type has a colour; screens.md 0.1: blue, red, yellow, green, grey. */
export const businessTypeLooks: StatusLooks = {
  1: { text: businessTypeLabels[1], tone: 'processing' },
  2: { text: businessTypeLabels[2], tone: 'error' },
  3: { text: businessTypeLabels[3], tone: 'warning' },
  4: { text: businessTypeLabels[4], tone: 'success' },
  5: { text: businessTypeLabels[5], tone: 'default' },
}

/** When the list of roles could not be read, built-in ones still have a name. */
export const fallbackRoleName = (role: number): string =>
  (builtInRoleLabels as Record<number, string>)[role] ?? `角色 ${role}`

/** 张伟（zhangwei）: how dialogs name a person. */
export const personName = ({ userName, nickName }: { userName: string; nickName: string }): string =>
  nickName ? `${nickName}（${userName}）` : userName

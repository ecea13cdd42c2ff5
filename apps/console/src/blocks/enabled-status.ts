/** spec 3: enabled status; users, roles and, later, devices show it alike. */
import { EnabledStatus, enabledStatusLabels } from '@ithings/contract/features/users.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const enabledLooks: StatusLooks = {
  [EnabledStatus.enabled]: { text: enabledStatusLabels[EnabledStatus.enabled], tone: 'success' },
  [EnabledStatus.disabled]: { text: enabledStatusLabels[EnabledStatus.disabled], tone: 'error' },
}

export const enabledOptions = Object.values(EnabledStatus).map((value) => ({
  value,
  label: enabledStatusLabels[value],
}))

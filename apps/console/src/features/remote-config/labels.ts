import {
  ConfigHeld,
  configHeldLabels,
  PushState,
  PushStatus,
  pushStateLabels,
  pushStatusLabels,
} from '@ithings/contract/features/remote-config.ts'
import type { FilterOption } from '#kit/list-page/list-contract.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const pushStatusLooks: StatusLooks = {
  [PushStatus.running]: { text: pushStatusLabels[PushStatus.running], tone: 'processing' },
  [PushStatus.over]: { text: pushStatusLabels[PushStatus.over], tone: 'success' },
  [PushStatus.cancelled]: { text: pushStatusLabels[PushStatus.cancelled], tone: 'default' },
  [PushStatus.waiting]: { text: pushStatusLabels[PushStatus.waiting], tone: 'warning' },
}

export const pushStateLooks: StatusLooks = {
  [PushState.pending]: { text: pushStateLabels[PushState.pending], tone: 'warning' },
  [PushState.delivered]: { text: pushStateLabels[PushState.delivered], tone: 'success' },
  [PushState.failed]: { text: pushStateLabels[PushState.failed], tone: 'error' },
  [PushState.cancelled]: { text: pushStateLabels[PushState.cancelled], tone: 'default' },
}

export const heldLooks: StatusLooks = {
  [ConfigHeld.newest]: { text: configHeldLabels[ConfigHeld.newest], tone: 'success' },
  [ConfigHeld.older]: { text: configHeldLabels[ConfigHeld.older], tone: 'warning' },
  [ConfigHeld.none]: { text: configHeldLabels[ConfigHeld.none], tone: 'default', ring: true },
}

export const optionsOf = (labels: Readonly<Record<number, string>>): FilterOption[] =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }))

import { type Plan, PlanState, planStateLabels } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { showUnseen } from '@ithings/contract/unseen.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const planLooks: StatusLooks = {
  [PlanState.proposed]: { text: planStateLabels[PlanState.proposed], tone: 'warning' },
  [PlanState.applied]: { text: planStateLabels[PlanState.applied], tone: 'success' },
  [PlanState.refused]: { text: planStateLabels[PlanState.refused], tone: 'error' },
  [PlanState.undone]: { text: planStateLabels[PlanState.undone], tone: 'default' },
  [PlanState.expired]: { text: planStateLabels[PlanState.expired], tone: 'default' },
}

export const originLabels: Record<string, string> = { console: '控制台', 'command line': '命令行', assistant: '助手' }

/** Nothing in the words of a stranger is hidden from who decides. */
export const titleOf = ({ title, id }: Pick<Plan, 'title' | 'id'>): string =>
  showUnseen(title) || t('计划 {id}', { id })

/** The key is named beside whose it is. */
export const proposerText = ({ createdBy, keyName }: Plan): string =>
  keyName === '' || keyName === createdBy ? createdBy : t('{user}（密钥 {key}）', { user: createdBy, key: keyName })

export const countsText = ({ creates, updates, deletes }: Plan): string =>
  t('新增 {creates}，修改 {updates}，删除 {deletes}', { creates, updates, deletes })

/** JSON with the lines of long texts below each other: a script is read line by line. */
export const specText = (spec: object | null | undefined): string =>
  spec
    ? showUnseen(JSON.stringify(spec, null, 2)).replace(/\\(.)/g, (pair, letter: string) =>
        letter === 'n' ? '\n    ' : pair,
      )
    : ''

import {
  deleteForward,
  type ForwardRule,
  ForwardStatus,
  listDeadLetters,
  recentForwards,
  replayForward,
  updateForward,
} from '@ithings/contract/features/forwarding/rules.ts'
import { t } from '@ithings/contract/text.ts'
import { useActs } from '#blocks/rollout/use-acts.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { useDeleteForward, useUpdateForward } from '../queries.ts'
import { Losses } from './losses.tsx'

export interface ForwardWays {
  edit: (rule: ForwardRule) => void
  recent: (rule: ForwardRule) => void
  letters: (rule: ForwardRule) => void
  replay: (rule: ForwardRule) => void
}

/** What can be done with one rule. */
export function useForwardActions(ways: ForwardWays): (rule: ForwardRule) => RowAction[] {
  const { ask, orTell } = useActs()
  const update = useUpdateForward()
  const remove = useDeleteForward()
  const toggle = ({ id, status }: ForwardRule) => {
    const paused = status === ForwardStatus.paused
    const next = paused ? ForwardStatus.running : ForwardStatus.paused
    const what = paused ? t('继续') : t('暂停')
    const done = paused ? t('已继续，从停下的地方开始发送') : t('已暂停，期间的消息在继续后发送')
    void orTell(what, update.mutateAsync({ id, status: next }), done)
  }
  const askDelete = (rule: ForwardRule) =>
    ask({
      title: t('删除数据转发规则「{name}」？', { name: rule.name }),
      content: <Losses rule={rule} />,
      danger: true,
      okText: t('删除'),
      work: () => remove.mutateAsync({ id: rule.id }),
      done: t('删除成功'),
    })
  return (rule) => [
    { key: 'edit', label: t('编辑'), needs: updateForward, onClick: () => ways.edit(rule) },
    {
      key: 'toggle',
      label: rule.status === ForwardStatus.paused ? t('继续') : t('暂停'),
      needs: updateForward,
      onClick: () => toggle(rule),
    },
    { key: 'recent', label: t('最近消息'), needs: recentForwards, onClick: () => ways.recent(rule) },
    { key: 'letters', label: t('死信'), needs: listDeadLetters, onClick: () => ways.letters(rule) },
    { key: 'replay', label: t('重放'), needs: replayForward, onClick: () => ways.replay(rule) },
    { key: 'delete', label: t('删除'), needs: deleteForward, danger: true, onClick: () => askDelete(rule) },
  ]
}

import { ChangeAct, type ConfigChange, configKindLabels, type Plan } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { Input } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { countsText, titleOf } from '../plan-words.ts'
import { useApprove, useRefuse, useUndo } from '../queries.ts'

export interface ReadPlan extends Plan {
  changes: ConfigChange[]
}

const mostNamed = 10

function Named({ changes }: { changes: ConfigChange[] }) {
  if (changes.length === 0) return null
  return (
    <ul>
      {changes.slice(0, mostNamed).map(({ kind, name }) => (
        <li key={`${kind} ${name}`}>
          {labelOf(configKindLabels, kind)} <bdi>{name}</bdi>
        </li>
      ))}
      {changes.length > mostNamed && <li>{t('另有 {count} 个', { count: changes.length - mostNamed })}</li>}
    </ul>
  )
}

/** The three decisions, each asked for once more. */
export function usePlanActions() {
  const confirm = useConfirm()
  const [approve, refuse, undo] = [useApprove(), useRefuse(), useUndo()]
  const gone = (changes: ConfigChange[], act: ChangeAct) => changes.filter((change) => change.act === act)
  return {
    approve(plan: ReadPlan) {
      const deleted = gone(plan.changes, ChangeAct.delete)
      confirm({
        title: t('批准「{title}」？', { title: titleOf(plan) }),
        content: (
          <>
            <p>{countsText(plan)}</p>
            {deleted.length > 0 && <p>{t('将删除：')}</p>}
            <Named changes={deleted} />
            <p>{t('全部改动一起生效；有一处不能做，就一处也不做。')}</p>
          </>
        ),
        danger: deleted.length > 0,
        okText: t('批准并应用'),
        onOk: () => approve.mutateAsync({ id: plan.id }),
        done: t('已应用「{title}」', { title: titleOf(plan) }),
      })
    },
    refuse(plan: ReadPlan) {
      let reason = ''
      confirm({
        title: t('拒绝「{title}」？', { title: titleOf(plan) }),
        content: (
          <Input.TextArea
            rows={3}
            maxLength={500}
            aria-label={t('拒绝的理由')}
            placeholder={t('拒绝的理由，提出者可以看到')}
            onChange={(event) => {
              reason = event.target.value
            }}
          />
        ),
        okText: t('拒绝'),
        onOk: () => refuse.mutateAsync({ id: plan.id, reason }),
        done: t('已拒绝「{title}」', { title: titleOf(plan) }),
      })
    },
    undo(plan: ReadPlan) {
      const created = gone(plan.changes, ChangeAct.create)
      confirm({
        title: t('撤销「{title}」？', { title: titleOf(plan) }),
        content: (
          <>
            <p>{t('每个对象都恢复为应用之前的配置。删除时一并消失的记录和产品密钥不会恢复。')}</p>
            {created.length > 0 && <p>{t('将删除：')}</p>}
            <Named changes={created} />
          </>
        ),
        danger: true,
        okText: t('撤销'),
        onOk: () => undo.mutateAsync({ id: plan.id }),
        done: t('已撤销「{title}」', { title: titleOf(plan) }),
      })
    },
  }
}

import { approvePlan, PlanState, planLifeDays, refusePlan, undoPlan } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { showUnseen } from '@ithings/contract/unseen.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { May } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { countsText, originLabels, planLooks, proposerText, titleOf } from '../plan-words.ts'
import { planQuery } from '../queries.ts'
import { ChangeList } from './change-list.tsx'
import { type ReadPlan, usePlanActions } from './use-plan-actions.tsx'

function Acts({ plan }: { plan: ReadPlan }) {
  const { approve, refuse, undo } = usePlanActions()
  if (plan.state === PlanState.applied) {
    return (
      <May needs={undoPlan}>
        <Button danger onClick={() => undo(plan)}>
          {t('撤销')}
        </Button>
      </May>
    )
  }
  if (plan.state !== PlanState.proposed) return null
  return (
    <>
      <May needs={refusePlan}>
        <Button onClick={() => refuse(plan)}>{t('拒绝')}</Button>
      </May>
      <May needs={approvePlan}>
        <Button type="primary" onClick={() => approve(plan)}>
          {t('批准并应用')}
        </Button>
      </May>
    </>
  )
}

const Facts = ({ plan }: { plan: ReadPlan }) => (
  <div className="inline-row gap-8 wrap anywhere">
    <StatusTag filled looks={planLooks} value={plan.state} />
    <span>{countsText(plan)}</span>
    <span className="meta">
      <bdi>{proposerText(plan)}</bdi> · {labelOf(originLabels, plan.origin)} · <TimeText value={plan.createdTime} />
    </span>
    {plan.decidedBy !== '' && (
      <span className="meta">
        {t('由 {user} 决定', { user: plan.decidedBy })} · <TimeText value={plan.decidedTime} />
      </span>
    )}
  </div>
)

export function PlanContent({ plan }: { plan: ReadPlan }) {
  const problems = plan.changes.filter(({ problem }) => problem !== '').length
  return (
    <div className="column gap-16">
      <Facts plan={plan} />
      {plan.reason !== '' && (
        <section aria-label={t('提出者的说明')} className="column gap-4">
          <span className="meta">{t('提出者的说明，原文照录，平台不作保证：')}</span>
          <blockquote className="plan-reason">{showUnseen(plan.reason)}</blockquote>
        </section>
      )}
      {plan.decision !== '' && (
        <section aria-label={t('拒绝的理由')} className="column gap-4">
          <span className="meta">{t('拒绝的理由')}</span>
          <blockquote className="plan-reason">{showUnseen(plan.decision)}</blockquote>
        </section>
      )}
      {problems > 0 && plan.state === PlanState.proposed && (
        <Alert type="warning" showIcon title={t('有 {count} 处不能应用，批准时会整个被拒绝', { count: problems })} />
      )}
      <ChangeList changes={plan.changes} />
      {plan.state === PlanState.proposed && (
        <span className="meta">{t('{days} 天内无人决定，计划自动过期。', { days: planLifeDays })}</span>
      )}
    </div>
  )
}

interface PlanDrawerProps {
  id: number
  open: boolean
  onClose: () => void
}

/** What a plan changes, object by object, and what a person decides about it. */
export function PlanDrawer({ id, open, onClose }: PlanDrawerProps) {
  const query = useQuery(planQuery(id))
  const { data } = query
  return (
    <SideDrawer
      title={data ? titleOf(data) : t('配置计划')}
      width={1120}
      open={open}
      onClose={onClose}
      footer={data && <div className="inline-row gap-8">{<Acts plan={data} />}</div>}
    >
      <Loaded query={query} subject={t('配置计划')}>
        {(plan) => <PlanContent plan={plan} />}
      </Loaded>
    </SideDrawer>
  )
}

import { ChangeAct, type ConfigChange, changeActLabels, configKindLabels } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { showUnseen } from '@ithings/contract/unseen.ts'
import { Alert, Collapse, Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { labelOf, type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { specText } from '../plan-words.ts'
import './plans.css'

const DiffView = lazy(async () => ({ default: (await import('#kit/diff-view.tsx')).DiffView }))

const actLooks: StatusLooks = {
  [ChangeAct.create]: { text: changeActLabels[ChangeAct.create], tone: 'success' },
  [ChangeAct.update]: { text: changeActLabels[ChangeAct.update], tone: 'processing' },
  [ChangeAct.delete]: { text: changeActLabels[ChangeAct.delete], tone: 'error' },
}
/** A few are open at once; of many only those that are asked for. */
const openAtFirst = 4

const keyOf = ({ kind, name }: ConfigChange) => `${kind} ${name}`

const Head = ({ change: { kind, name, act, problem } }: { change: ConfigChange }) => (
  <span className="inline-row gap-8 wrap anywhere">
    <StatusTag filled looks={actLooks} value={act} />
    <span className="meta">{labelOf(configKindLabels, kind)}</span>
    <bdi className="bold">{showUnseen(name)}</bdi>
    {problem !== '' && <StatusTag text={t('有问题')} tone="error" />}
  </span>
)

function Difference({ change }: { change: ConfigChange }) {
  const phone = usePhone()
  const { before, after, now, problem } = change
  const sides = (
    left: object | null | undefined,
    right: object | null | undefined,
    labels: readonly [string, string],
  ) => (
    <>
      {!phone && (
        <div className="below-8 grid gap-8 meta" style={{ gridTemplateColumns: '1fr 1fr' }}>
          <span>{labels[0]}</span>
          <span>{labels[1]}</span>
        </div>
      )}
      <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 6 }} />}>
        <DiffView before={specText(left)} after={specText(right)} labels={labels} unified={phone} />
      </Suspense>
    </>
  )
  return (
    <div className="column gap-8">
      {problem !== '' && <Alert type="error" showIcon title={problem} />}
      {(before || after) && sides(before, after, [t('改动前'), t('改动后')])}
      {now !== undefined && (
        <>
          <div className="bold">{t('现在的内容与计划看到的不同')}</div>
          {sides(after ?? before, now, [t('计划中'), t('现在')])}
        </>
      )}
    </div>
  )
}

/** One difference an object. */
export const ChangeList = ({ changes }: { changes: ConfigChange[] }) => (
  <Collapse
    destroyOnHidden
    defaultActiveKey={changes.length <= openAtFirst ? changes.map(keyOf) : []}
    items={changes.map((change) => ({
      key: keyOf(change),
      label: <Head change={change} />,
      children: <Difference change={change} />,
    }))}
  />
)

import { CheckCircleFilled, CloseOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import '../connection-card.css'
import { ConnectPanel } from './connect-panel.tsx'
import { DemoOffer } from './demo-offer.tsx'
import './first-steps.css'
import { paths } from '#kit/paths.ts'
import { nextStep, type Step, type StepFacts, type StepKey, stepsOf } from './steps.ts'
import { useFirstSteps } from './use-first-steps.ts'

const JobModal = lazy(async () => ({ default: (await import('../job-modal.tsx')).JobModal }))

interface StepsCardProps {
  facts: StepFacts
  onPutAway: () => void
  /** Opens the form of a new product right here, where the screen has it. */
  onNewProduct: (() => void) | undefined
  /** The demo fleet is on its way. */
  onLoading: (jobID: string) => void
}

function StepsCard({ facts, onPutAway, onNewProduct, onLoading }: StepsCardProps) {
  const [looked, setLooked] = useState<StepKey>()
  const steps = stepsOf(facts)
  const next = nextStep(steps)
  const open = steps.find(({ key }) => key === looked) ?? next
  const done = steps.filter((step) => step.done).length
  return (
    <section className="sheet first-steps below-16" aria-label={t('接入第一台设备')}>
      <div className="gap-4-12 row wrap below-12">
        <h2 className="title">{next ? t('五分钟接入第一台设备') : t('第一台设备已经接入')}</h2>
        <span className="meta" role="status">
          {t('已完成 {done} / {total}', { done, total: steps.length })}
        </span>
        <span className="flex wrap to-end gap-8">
          <DemoOffer onLoading={onLoading} />
          <Button type="text" icon={<CloseOutlined />} onClick={onPutAway}>
            {next ? t('不再显示') : t('关闭')}
          </Button>
        </span>
      </div>
      <div className="first-body flex top gap-24">
        <ol className="first-list bare-list fixed">
          {steps.map((step, i) => (
            <li key={step.key}>
              <button
                type="button"
                className="plain-button first-step pad-x-8 round-6 high-36 row wide start gap-10"
                aria-current={step.key === open?.key ? 'step' : undefined}
                onClick={() => setLooked(step.key)}
              >
                {step.done ? (
                  <CheckCircleFilled className="first-mark fixed tone-success" aria-label={t('已完成')} />
                ) : (
                  <span className="first-mark first-number circle line-18 centered fixed">{i + 1}</span>
                )}
                {step.title}
              </button>
            </li>
          ))}
        </ol>
        <StepBody step={open} facts={facts} onNewProduct={onNewProduct} />
      </div>
    </section>
  )
}

interface StepBodyProps extends Pick<StepsCardProps, 'facts' | 'onNewProduct'> {
  step: Step | undefined
}

function StepBody({ step, facts, onNewProduct }: StepBodyProps) {
  const navigate = useNavigate()
  const { productID, deviceName } = facts
  if (!step) {
    return (
      <div className="first-content grow shrink">
        <p>{t('设备已经在线并上报了数据。接下来可以新增场景和告警，或把更多设备加进来。')}</p>
        <span className="flex wrap gap-8">
          <Button type="primary" onClick={() => void navigate(stepsOf(facts).at(-1)?.to ?? '/')}>
            {t('查看设备状态')}
          </Button>
          <Button onClick={() => void navigate(paths.scenes)}>{t('新增场景')}</Button>
        </span>
      </div>
    )
  }
  const { key, text, to, action, done } = step
  const connecting = (key === 'connected' || key === 'value') && deviceName !== ''
  const act = key === 'product' && onNewProduct ? onNewProduct : () => to && void navigate(to)
  return (
    <div className="first-content grow shrink">
      <p>{to === undefined ? t('请先完成前面的步骤。') : text}</p>
      {to !== undefined && (
        <span className="flex wrap gap-8">
          <Button type={done || connecting ? 'default' : 'primary'} onClick={act}>
            {action}
          </Button>
        </span>
      )}
      {connecting && <ConnectPanel productID={productID} deviceName={deviceName} />}
    </div>
  )
}

/** The card of an empty platform: five steps that tick themselves off by what really happens. Nothing once it is done. */
export function FirstSteps({ onNewProduct }: { onNewProduct?: () => void }) {
  const { facts, putAway } = useFirstSteps()
  const client = useQueryClient()
  const [followed, setFollowed] = useState('')
  return (
    <>
      {facts && <StepsCard facts={facts} onPutAway={putAway} onNewProduct={onNewProduct} onLoading={setFollowed} />}
      {/* The card is gone once the demo fleet comes; its progress is not. */}
      {followed !== '' && (
        <Suspense>
          <JobModal
            title={t('加载演示数据')}
            jobID={followed}
            open
            onClose={() => setFollowed('')}
            // Nothing of what the screens know is true any more.
            onEnd={() => void client.invalidateQueries()}
          />
        </Suspense>
      )}
    </>
  )
}

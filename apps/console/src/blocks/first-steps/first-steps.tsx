import { CheckCircleFilled, CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import '../connection-card.css'
import { DemoOffer } from './demo-offer.tsx'
import './first-steps.css'
import { nextStep, productListPath, type Step, type StepFacts, type StepKey, stepsOf } from './steps.ts'
import { useFirstSteps } from './use-first-steps.ts'

const ConnectPanel = lazy(async () => ({ default: (await import('./connect-panel.tsx')).ConnectPanel }))

interface FirstStepsProps {
  /** Opens the form of a new product right here, where the screen has it. */
  onNewProduct?: () => void
}

/** The card of an empty platform: five steps that tick themselves off by what really happens. Nothing once it is done. */
export function FirstSteps({ onNewProduct }: FirstStepsProps) {
  const { facts, putAway } = useFirstSteps()
  const [looked, setLooked] = useState<StepKey>()
  if (!facts) return null
  const steps = stepsOf(facts)
  const next = nextStep(steps)
  const open = steps.find(({ key }) => key === looked) ?? next
  const done = steps.filter((step) => step.done).length
  return (
    <section className="sheet first-steps" aria-label="接入第一台设备">
      <div className="first-head">
        <h2>{next ? '五分钟接入第一台设备' : '第一台设备已经接入'}</h2>
        <span className="meta" role="status">
          已完成 {done} / {steps.length}
        </span>
        <span className="first-head-right">
          <DemoOffer />
          <Button type="text" icon={<CloseOutlined />} onClick={putAway}>
            {next ? '不再显示' : '关闭'}
          </Button>
        </span>
      </div>
      <div className="first-body">
        <ol className="first-list">
          {steps.map((step, i) => (
            <li key={step.key}>
              <button
                type="button"
                className="plain-button first-step"
                aria-current={step.key === open?.key ? 'step' : undefined}
                onClick={() => setLooked(step.key)}
              >
                {step.done ? (
                  <CheckCircleFilled className="first-mark first-mark-done" aria-label="已完成" />
                ) : (
                  <span className="first-mark first-number">{i + 1}</span>
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

interface StepBodyProps extends FirstStepsProps {
  step: Step | undefined
  facts: StepFacts
}

function StepBody({ step, facts, onNewProduct }: StepBodyProps) {
  const navigate = useNavigate()
  const { productID, deviceName } = facts
  if (!step) {
    return (
      <div className="first-content">
        <p>设备已经在线并上报了数据。接下来可以建立场景联动和告警，或把更多设备加进来。</p>
        <span className="first-actions">
          <Button type="primary" onClick={() => void navigate(stepsOf(facts).at(-1)?.to ?? '/')}>
            查看设备状态
          </Button>
          <Button onClick={() => void navigate('/ruleEngine/scene/index')}>建立场景联动</Button>
        </span>
      </div>
    )
  }
  const { key, text, to, action, done } = step
  const connecting = (key === 'connected' || key === 'value') && deviceName !== ''
  const act = key === 'product' && onNewProduct ? onNewProduct : () => to && void navigate(to)
  return (
    <div className="first-content">
      <p>{to === undefined ? '请先完成前面的步骤。' : text}</p>
      {to !== undefined && (
        <span className="first-actions">
          <Button type={done || connecting ? 'default' : 'primary'} onClick={act}>
            {action}
          </Button>
        </span>
      )}
      {connecting && (
        <Suspense fallback={null}>
          <ConnectPanel productID={productID} deviceName={deviceName} />
        </Suspense>
      )}
    </div>
  )
}

/** The same on all other screens, in one line: what comes next, and the way back to the card. */
export function FirstStepsBar() {
  const { facts, putAway } = useFirstSteps()
  if (!facts) return null
  const steps = stepsOf(facts)
  const next = nextStep(steps)
  const done = steps.filter((step) => step.done).length
  return (
    <aside className="first-bar" aria-label="接入第一台设备">
      <span className="first-bar-words" role="status">
        {next ? (
          <>
            接入第一台设备 {done} / {steps.length}，下一步：
            <b>{next.title}</b>
          </>
        ) : (
          <>
            <CheckCircleFilled className="first-mark-done" /> 第一台设备已经接入，第一个值已经收到
          </>
        )}
      </span>
      {next && (
        <Link to={next.key === 'connected' || next.key === 'value' ? productListPath : (next.to ?? productListPath)}>
          去{next.title}
        </Link>
      )}
      <button type="button" className="plain-button icon-button" aria-label="收起入门步骤" onClick={putAway}>
        <CloseOutlined />
      </button>
    </aside>
  )
}

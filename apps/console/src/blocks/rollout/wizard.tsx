import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Form, Steps } from 'antd'
import { type ReactNode, useId } from 'react'
import { focusFirstField } from '#kit/first-field.ts'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { Facts as FactGrid } from '../facts.tsx'
import './rollout.css'

export interface WizardProps {
  title: string
  /** What was filled in so far, in short. */
  about?: string | undefined
  width: number
  open?: boolean
  onClose: () => void
  steps: readonly string[]
  /** Beyond the last step stands the summary. */
  step: number
  onStep: (to: number) => void
  onNext: () => void
  /** The last button; before it stands the one that goes on. */
  submit: { text: string; disabled: boolean; onClick: () => void } | undefined
  dirty: boolean
  discardText: string
  busy: boolean
  failure: string | undefined
  /** How many fields of this step are wrong, once somebody wanted to go on. */
  problems: number
  hint?: string | undefined
  children: ReactNode
}

function Footer({ close, ...props }: WizardProps & { close: () => void }) {
  const { steps, step, busy, submit } = props
  const phone = usePhone()
  return (
    <div className="form-footer">
      {props.failure && <Alert type="error" showIcon title={props.failure} />}
      <div className="form-buttons">
        <span className="form-footer-extra meta">
          {props.problems > 0 ? (
            <span className="form-problems error-text" role="status">
              {t('{count} 处待修正', { count: props.problems })}
            </span>
          ) : (
            !phone && props.hint
          )}
        </span>
        {(!phone || step === 0) && (
          <Button type="text" disabled={busy} onClick={close}>
            {t('取消')}
          </Button>
        )}
        {step > 0 && (
          <Button disabled={busy} onClick={() => props.onStep(step - 1)}>
            {t('上一步')}
          </Button>
        )}
        {submit ? (
          <Button type="primary" loading={busy} disabled={submit.disabled} onClick={submit.onClick}>
            {submit.text}
          </Button>
        ) : (
          <Button type="primary" onClick={props.onNext}>
            {t('下一步：{step}', { step: t(steps[step + 1] ?? '确认') })}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The frame of a form in steps: what is typed is not lost unasked, and nothing is sent before its last button. */
export function Wizard(props: WizardProps) {
  const { title, about, width, open = true, onClose, steps, step, dirty, busy } = props
  return (
    <SideDrawer
      title={
        <span className="flex baseline shrink gap-12">
          {title}
          {about && <span className="regular meta cut">{about}</span>}
        </span>
      }
      open={open}
      onClose={onClose}
      unsaved={dirty && props.discardText}
      busy={busy}
      afterOpenChange={focusFirstField}
      width={width}
      keep
      className="wizard"
      mask={{ closable: !dirty }}
      footer={(close) => <Footer {...props} close={close} />}
    >
      <Steps
        className="wizard-steps"
        current={step}
        size="small"
        responsive={false}
        items={steps.map((name) => ({ title: t(name) }))}
        onChange={(to) => to < step && props.onStep(to)}
      />
      <Form layout="vertical" component={false}>
        <div className="wizard-body grow">{props.children}</div>
      </Form>
    </SideDrawer>
  )
}

export interface WizardFieldProps {
  label: string
  required?: boolean
  extra?: ReactNode
  /** Shown once somebody wanted to go on. */
  problem?: string | undefined
  /** The control is long and has fields of its own: the problem stands above it and does not colour them. */
  above?: boolean
  /** A function gets the id that ties the label to its control. */
  children: ReactNode | ((id: string) => ReactNode)
}

/** One labelled control; what is wrong with it stands below. */
export function WizardField({ label, required, extra, problem, above = false, children }: WizardFieldProps) {
  const id = useId()
  const drawn = typeof children === 'function'
  return (
    <Form.Item
      label={
        <>
          {label}
          {required && <span className="required-mark error-text after-4">*</span>}
          {above && problem && (
            <span className="error-text small" style={{ marginInlineStart: 12 }}>
              {problem}
            </span>
          )}
        </>
      }
      {...(drawn && { htmlFor: id })}
      extra={extra}
      {...(problem && !above && { validateStatus: 'error' as const, help: problem })}
    >
      {drawn ? children(id) : children}
    </Form.Item>
  )
}

export type FactRow = readonly [label: string, value: ReactNode]

/** Names and values below each other, to read. */
export const Facts = ({ rows, className = '' }: { rows: readonly FactRow[]; className?: string }) => (
  <FactGrid
    className={`facts-wide rollout-facts ${className}`}
    facts={rows.map(([label, value]) => ({ label, value }))}
  />
)

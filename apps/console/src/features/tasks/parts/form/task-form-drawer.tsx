import { taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { Alert, Button, Drawer, Form, Steps } from 'antd'
import '#kit/form/form.css'
import { focusFirstField } from '#kit/first-field.ts'
import { LeaveGuard, useAskDiscard } from '#kit/leave-guard.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { steps } from '../../draft/check-draft.ts'
import { StepBasic } from './step-basic.tsx'
import { StepContent } from './step-content.tsx'
import { StepRun } from './step-run.tsx'
import { StepSummary } from './step-summary.tsx'
import { StepTarget } from './step-target.tsx'
import './task-form.css'
import { summaryStep, type TaskStart, useTaskForm } from './use-task-form.ts'

interface TaskFormDrawerProps {
  start: TaskStart
  open: boolean
  onClose: () => void
  onSaved: (taskID: number) => void
}

const discardText = '任务还没有提交，离开后填写的内容将丢失。'

/** screens.md 7.1: four steps and a summary. */
export function TaskFormDrawer({ start, open, onClose, onSaved }: TaskFormDrawerProps) {
  const phone = usePhone()
  const ask = useAskDiscard()
  const form = useTaskForm(start, onSaved)
  const { draft, change, step, faults, reach } = form
  const isSummary = step === summaryStep
  const close = () => {
    if (form.busy) return
    if (!form.dirty) return onClose()
    ask(discardText, onClose)
  }
  const about = [draft.taskName, taskTypeLabels[draft.taskType], form.productName].filter(Boolean).join(' · ')
  const common = { draft, change, faults, reach }
  return (
    <Drawer
      title={
        <span className="task-form-title flex baseline shrink gap-12">
          {start.title}
          {step > 0 && <span className="meta">{about}</span>}
        </span>
      }
      open={open}
      onClose={close}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : 920}
      rootClassName={phone ? 'form-drawer form-drawer-phone task-form' : 'form-drawer task-form'}
      closable={{ placement: 'end' }}
      mask={{ closable: false }}
      footer={
        <div className="form-footer">
          {form.failure && <Alert type="error" showIcon title={form.failure.reason} />}
          <div className="form-buttons">
            <span className="form-footer-extra meta">
              {faults.size > 0 ? (
                <span className="form-problems" role="status">
                  {faults.size} 处待修正
                </span>
              ) : (
                form.why && !phone && `${form.why}，提交时需输入设备数量确认`
              )}
            </span>
            {(!phone || step === 0) && (
              <Button type="text" disabled={form.busy} onClick={close}>
                取消
              </Button>
            )}
            {step > 0 && (
              <Button disabled={form.busy} onClick={() => form.goTo(step - 1)}>
                上一步
              </Button>
            )}
            {isSummary ? (
              <Button type="primary" loading={form.busy} disabled={!form.mayGo} onClick={() => void form.submit()}>
                {start.edited ? '保存任务' : '创建任务'}
              </Button>
            ) : (
              <Button type="primary" onClick={form.next}>
                下一步：{steps[step + 1] ?? '确认'}
              </Button>
            )}
          </div>
        </div>
      }
    >
      <LeaveGuard ofDialog dirty={open && form.dirty} text={discardText} />
      <Steps
        className="task-form-steps"
        current={step}
        size="small"
        responsive={false}
        items={steps.map((title) => ({ title }))}
        onChange={(to) => to < step && form.goTo(to)}
      />
      <Form
        layout="vertical"
        component={false}
        requiredMark={(label, { required }) => (
          <>
            {label}
            {required && <span className="required-mark">*</span>}
          </>
        )}
      >
        <div className="task-form-body">
          {step === 0 && <StepBasic {...common} locked={start.edited !== undefined} />}
          {step === 1 && <StepTarget {...common} />}
          {step === 2 && <StepContent key={`${draft.productID}/${draft.taskType}`} {...common} />}
          {step === 3 && <StepRun {...common} />}
          {isSummary && (
            <StepSummary
              draft={draft}
              productName={form.productName}
              model={form.model}
              reach={reach}
              why={form.why}
              typed={form.typed}
              onTyped={form.setTyped}
              onStep={form.goTo}
            />
          )}
        </div>
      </Form>
    </Drawer>
  )
}

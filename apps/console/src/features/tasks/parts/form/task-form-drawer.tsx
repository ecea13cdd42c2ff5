import { taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Wizard } from '#blocks/rollout/wizard.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { steps } from '../../draft/check-draft.ts'
import { StepBasic } from './step-basic.tsx'
import { StepContent } from './step-content.tsx'
import { StepRun } from './step-run.tsx'
import { StepSummary } from './step-summary.tsx'
import { StepTarget } from './step-target.tsx'
import './task-form.css'
import { summaryStep, type TaskStart, useTaskForm } from './use-task-form.ts'

interface TaskFormDrawerProps extends Opened {
  start: TaskStart
  onSaved: (taskID: number) => void
}

/** screens.md 7.1: four steps and a summary. */
export function TaskFormDrawer({ start, onSaved, ...opened }: TaskFormDrawerProps) {
  const form = useTaskForm(start, onSaved)
  const { draft, change, step, faults, reach, why } = form
  const submit = {
    text: start.edited ? t('保存任务') : t('创建任务'),
    disabled: !form.mayGo,
    onClick: () => void form.submit(),
  }
  const about = [draft.taskName, t(taskTypeLabels[draft.taskType]), form.productName].filter(Boolean).join(' · ')
  const common = { draft, change, faults, reach }
  return (
    <Wizard
      {...opened}
      title={start.title}
      about={step > 0 ? about : undefined}
      width={920}
      steps={steps.map((name) => t(name))}
      step={step}
      onStep={form.goTo}
      onNext={form.next}
      submit={step === summaryStep ? submit : undefined}
      dirty={form.dirty}
      discardText={t('任务还没有提交，离开后填写的内容将丢失。')}
      busy={form.busy}
      failure={form.failure}
      problems={faults.size}
      hint={why && t('{why}，提交时需输入设备数量确认', { why })}
    >
      {step === 0 && <StepBasic {...common} locked={start.edited !== undefined} />}
      {step === 1 && <StepTarget {...common} />}
      {step === 2 && <StepContent key={`${draft.productID}/${draft.taskType}`} {...common} />}
      {step === 3 && <StepRun {...common} />}
      {step === summaryStep && (
        <StepSummary
          draft={draft}
          productName={form.productName}
          model={form.model}
          reach={reach}
          why={why}
          typed={form.typed}
          onTyped={form.setTyped}
          onStep={form.goTo}
        />
      )}
    </Wizard>
  )
}

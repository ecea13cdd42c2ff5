import type { DataOf } from '@ithings/contract/endpoint.ts'
import { createOtaTask, OtaScope, OtaStrategy, type previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { useChosenDevices } from '#blocks/chosen-devices.ts'
import { Wizard } from '#blocks/rollout/wizard.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { firmwareQuery } from '../../queries.ts'
import { previewQuery, taskPlanQuery, useTaskSend } from '../../task-queries.ts'
import './create.css'
import { upgradePath } from '#kit/paths.ts'
import { FirmwareStep } from './firmware-step.tsx'
import { PlanStep } from './plan-step.tsx'
import { PreviewStep } from './preview-step.tsx'
import { TargetStep } from './target-step.tsx'
import { bodyOf, copyOf, emptyDraft, problemsOf, stepProblems, type TaskDraft } from './task-draft.ts'

interface CreateTaskProps {
  firmwareID: number | undefined
  copyID: number | undefined
  onClose: () => void
}

const steps = ['固件', '范围', '计划', '预览']
const lastStep = steps.length - 1
const width = 880

/** What the form begins with: empty, with a package, or as another task. */
export function CreateTask({ firmwareID, copyID, onClose }: CreateTaskProps) {
  const chosen = useQuery({ ...firmwareQuery(firmwareID ?? 0), enabled: firmwareID !== undefined })
  const copied = useQuery({ ...taskPlanQuery(copyID ?? 0), enabled: copyID !== undefined })
  const devices = useChosenDevices()
  if ((firmwareID !== undefined && !chosen.data) || (copyID !== undefined && !copied.data)) {
    return (
      <SideDrawer title={t('新增升级任务')} open width={width} onClose={onClose}>
        {copyID === undefined ? (
          <Loaded query={chosen} subject={t('固件')}>
            {() => null}
          </Loaded>
        ) : (
          <Loaded query={copied} subject={t('原任务')}>
            {() => null}
          </Loaded>
        )}
      </SideDrawer>
    )
  }
  const start = copied.data
    ? copyOf(copied.data)
    : {
        ...emptyDraft,
        ...(chosen.data && { productID: chosen.data.productID, firmwareID }),
        ...(devices && {
          productID: devices.productID,
          type: OtaScope.part,
          deviceList: devices.deviceNames,
          filter: devices.filter,
        }),
      }
  return <Panel start={start} copied={copyID !== undefined} onClose={onClose} />
}

function useCreate(draft: TaskDraft, preview: DataOf<typeof previewOtaTask> | undefined) {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const send = useTaskSend()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  const create = async () => {
    const { taskID } = await send(createOtaTask, bodyOf(draft))
    void message.success(t('创建成功'))
    // The list keeps its filters behind the detail; the form leaves the history.
    void navigate(upgradePath(taskID), { replace: true })
  }
  const submit = async () => {
    setFailure(undefined)
    // screens.md 22: typed confirmation for all devices; the number is what somebody has to have seen.
    if (draft.type === OtaScope.all && preview) {
      return confirm({
        title: t('升级全部设备？'),
        content: t('固件将推送给产品的 {count, number} 台设备。请输入设备数量确认。', { count: preview.matched }),
        danger: true,
        okText: t('开始升级'),
        typeToConfirm: String(preview.matched),
        onOk: create,
      })
    }
    setBusy(true)
    try {
      await create()
    } catch (error) {
      setFailure(describeError(error).reason)
    } finally {
      setBusy(false)
    }
  }
  return { submit, busy, failure }
}

function Panel({ start, copied, onClose }: { start: TaskDraft; copied: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(start)
  const [step, setStep] = useState(0)
  const [tried, setTried] = useState(false)
  const change = useCallback((patch: Partial<TaskDraft>) => setDraft((before) => ({ ...before, ...patch })), [])
  const firmware = useQuery({ ...firmwareQuery(draft.firmwareID ?? 0), enabled: draft.firmwareID !== undefined }).data
  const preview = useQuery({ ...previewQuery(bodyOf(draft)), enabled: step === lastStep })
  const nobody = preview.data?.matched === 0 && draft.upgradeType === OtaStrategy.static
  const { submit, ...state } = useCreate(draft, preview.data)
  const problems = problemsOf(draft, Date.now(), firmware?.version)
  const own = stepProblems(problems, step)
  const send = {
    text: draft.start === undefined ? t('开始升级') : t('按计划升级'),
    disabled: !preview.data || nobody,
    onClick: () => void submit(),
  }
  const props = { draft, change, problems: tried ? problems : {}, firmware }
  return (
    <Wizard
      title={copied ? t('复制升级任务') : t('新增升级任务')}
      width={width}
      onClose={onClose}
      steps={steps.map((name) => t(name, { context: 'target' }))}
      step={step}
      onStep={setStep}
      onNext={() => {
        setTried(own.length > 0)
        if (own.length === 0) setStep(step + 1)
      }}
      submit={step === lastStep ? send : undefined}
      dirty={JSON.stringify(draft) !== JSON.stringify(start)}
      discardText={t('任务还没有创建，离开后填写的内容将丢失。')}
      problems={tried ? own.length : 0}
      {...state}
    >
      {step === 0 && <FirmwareStep {...props} />}
      {step === 1 && <TargetStep {...props} />}
      {step === 2 && <PlanStep {...props} />}
      {step === lastStep && <PreviewStep draft={draft} preview={preview} />}
    </Wizard>
  )
}

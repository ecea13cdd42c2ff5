import { OtaScope } from '@ithings/contract/features/ota/task.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Form, Skeleton, Steps } from 'antd'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { useChosenDevices } from '#blocks/chosen-devices.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import '#kit/form/form.css'
import { LeaveGuard, useAskDiscard } from '#kit/leave-guard.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { taskPath } from '../../paths.ts'
import { firmwareQuery } from '../../queries.ts'
import { previewQuery, taskPlanQuery, useTaskWork } from '../../task-queries.ts'
import './create.css'
import { FirmwareStep } from './firmware-step.tsx'
import { PlanStep } from './plan-step.tsx'
import { type Preview, PreviewStep } from './preview-step.tsx'
import { TargetStep } from './target-step.tsx'
import { bodyOf, copyOf, emptyDraft, problemsOf, stepProblems, type TaskDraft } from './task-draft.ts'

interface CreateTaskProps {
  firmwareID: number | undefined
  copyID: number | undefined
  onClose: () => void
}

const titles = ['固件', '范围', '计划', '预览']
const lastStep = titles.length - 1
const width = 880

/** What the form begins with: empty, with a package, or as another task. */
export function CreateTask({ firmwareID, copyID, onClose }: CreateTaskProps) {
  const phone = usePhone()
  const chosen = useQuery({ ...firmwareQuery(firmwareID ?? 0), enabled: firmwareID !== undefined })
  const copied = useQuery({ ...taskPlanQuery(copyID ?? 0), enabled: copyID !== undefined })
  const devices = useChosenDevices()
  const failed = chosen.error ?? copied.error
  const waiting = (firmwareID !== undefined && !chosen.data) || (copyID !== undefined && !copied.data)
  if (!waiting) {
    const start = copied.data
      ? copyOf(copied.data)
      : {
          ...emptyDraft(),
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
  return (
    <Drawer title="新增升级任务" open size={phone ? '100%' : width} onClose={onClose} closable={{ placement: 'end' }}>
      {failed ? (
        <ErrorState
          subject={copyID === undefined ? '固件' : '原任务'}
          error={failed}
          retrying={chosen.isFetching || copied.isFetching}
          onRetry={() => void (copyID === undefined ? chosen.refetch() : copied.refetch())}
        />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  )
}

function useCreate(draft: TaskDraft) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const work = useTaskWork()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')

  const create = async () => {
    const { taskID } = await work.create(bodyOf(draft))
    void message.success('创建成功')
    // The list keeps its filters behind the detail; the form leaves the history.
    void navigate(taskPath(taskID), { replace: true })
  }
  const submit = async () => {
    setBusy(true)
    setFailure('')
    try {
      // screens.md 22: typed confirmation for all devices; the number is what somebody has to have seen.
      const preview: Preview | undefined = client.getQueryData(previewQuery(bodyOf(draft)).queryKey)
      if (draft.type === OtaScope.all && preview) {
        confirm({
          title: '升级全部设备？',
          content: `固件将推送给产品的 ${preview.matched.toLocaleString()} 台设备。请输入设备数量确认。`,
          danger: true,
          okText: '开始升级',
          typeToConfirm: String(preview.matched),
          onOk: create,
        })
      } else await create()
    } catch (error) {
      setFailure(describeError(error).reason)
    } finally {
      setBusy(false)
    }
  }
  return { submit, busy, failure }
}

const discardText = '任务还没有创建，离开后填写的内容将丢失。'

function Panel({ start, copied, onClose }: { start: TaskDraft; copied: boolean; onClose: () => void }) {
  const phone = usePhone()
  const ask = useAskDiscard()
  const [draft, setDraft] = useState(start)
  const [step, setStep] = useState(0)
  const [tried, setTried] = useState(false)
  const change = useCallback((patch: Partial<TaskDraft>) => setDraft((before) => ({ ...before, ...patch })), [])
  const firmware = useQuery({ ...firmwareQuery(draft.firmwareID ?? 0), enabled: draft.firmwareID !== undefined }).data
  const preview = useQuery({ ...previewQuery(bodyOf(draft)), enabled: step === lastStep }).data
  const { submit, busy, failure } = useCreate(draft)
  const dirty = JSON.stringify(draft) !== JSON.stringify(start)

  const problems = problemsOf(draft, Date.now(), firmware?.version)
  const own = stepProblems(problems, step)
  const next = () => {
    setTried(own.length > 0)
    if (own.length === 0) setStep(step + 1)
  }
  const close = () => {
    if (busy) return
    if (!dirty) return onClose()
    ask(discardText, onClose)
  }
  const props = { draft, change, problems: tried ? problems : {}, firmware }
  const body = [
    <FirmwareStep key="firmware" {...props} />,
    <TargetStep key="target" {...props} />,
    <PlanStep key="plan" {...props} />,
    <PreviewStep key="preview" draft={draft} />,
  ]
  return (
    <Drawer
      title={copied ? '复制升级任务' : '新增升级任务'}
      open
      onClose={close}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : width}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      mask={{ closable: !dirty }}
      footer={
        <div className="form-footer">
          {failure && <Alert type="error" showIcon title={failure} />}
          <div className="form-buttons">
            <span className="form-footer-extra">
              {step > 0 && (
                <Button disabled={busy} onClick={() => setStep(step - 1)}>
                  上一步
                </Button>
              )}
            </span>
            {tried && own.length > 0 && (
              <span className="form-problems" role="status">
                {own.length} 处待修正
              </span>
            )}
            {step < lastStep ? (
              <Button type="primary" onClick={next}>
                下一步
              </Button>
            ) : (
              <Button
                type="primary"
                loading={busy}
                disabled={!preview || (preview.matched === 0 && draft.upgradeType === 1)}
                onClick={() => void submit()}
              >
                {draft.start === undefined ? '开始升级' : '按计划升级'}
              </Button>
            )}
          </div>
        </div>
      }
    >
      <LeaveGuard ofDialog dirty={dirty} text={discardText} />
      <Steps
        className="task-steps"
        size="small"
        responsive={false}
        current={step}
        items={titles.map((title, index) => ({ title, disabled: index > step }))}
        onChange={(to) => to < step && setStep(to)}
      />
      <Form layout="vertical" component="div" colon={false}>
        {body[step]}
      </Form>
    </Drawer>
  )
}

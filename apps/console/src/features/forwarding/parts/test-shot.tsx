import { SendOutlined } from '@ant-design/icons'
import { describeIssue } from '@ithings/contract/describe-issue.ts'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type ForwardRule, type ForwardSource, testForward } from '@ithings/contract/features/forwarding/rules.ts'
import type { TargetType } from '@ithings/contract/features/forwarding/targets.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, type FormInstance } from 'antd'
import { Latency } from '#blocks/channel-form/test-result.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useTestForward } from '../queries.ts'
import { fieldAt, targetFields, targetOf } from '../rule-form.ts'

function Outcome({ result: { ok, msg, ms, body } }: { result: DataOf<typeof testForward> }) {
  return (
    <>
      <Alert
        type={ok ? 'success' : 'error'}
        showIcon
        role="status"
        title={
          <span className="inline-row gap-8">
            {ok ? t('发送成功') : t('发送失败')}
            <Latency ms={ms} />
          </span>
        }
        description={msg && <span className="anywhere">{msg}</span>}
      />
      {body !== '' && <JsonView value={body} maxHeight={240} />}
    </>
  )
}

/** Sends one message as the form has it now; nothing is stored. */
export function TestShot({ form, rule }: { form: FormInstance; rule: ForwardRule | undefined }) {
  const { mutate, data, error, isPending } = useTestForward()
  const run = async () => {
    const values: Record<string, unknown> = form.getFieldsValue(true)
    try {
      await form.validateFields([...targetFields(values.type as TargetType), 'script'], { recursive: true })
    } catch {
      // The fields say what is wrong with them.
      return
    }
    const [source] = (values.sources ?? []) as ForwardSource[]
    const asked = testForward.body.safeParse({
      ...(rule && { id: rule.id }),
      form: values.form,
      script: values.script,
      target: targetOf(values),
      source,
    })
    if (asked.success) return mutate(asked.data)
    form.setFields(
      asked.error.issues.map((issue) => ({
        name: fieldAt(issue.path).slice(0, 1).map(String),
        errors: [describeIssue(issue)],
      })),
    )
  }
  return (
    <div className="column gap-12">
      <span className="wrap inline-row gap-8">
        <Button icon={<SendOutlined />} loading={isPending} onClick={() => void run()}>
          {t('发送测试')}
        </Button>
        <span className="meta">{t('用当前填写的内容发送一条示例消息，不会保存')}</span>
      </span>
      {!isPending && data && <Outcome result={data} />}
      {!isPending && error && <Alert type="error" showIcon title={describeError(error).reason} />}
    </div>
  )
}

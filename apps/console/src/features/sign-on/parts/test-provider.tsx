import { ApiOutlined } from '@ant-design/icons'
import { type ProviderTest, testProvider } from '@ithings/contract/features/sign-on.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, type FormInstance } from 'antd'
import { Latency } from '#blocks/channel-form/test-result.tsx'
import { FactList } from '#blocks/facts.tsx'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useTestProvider } from '../queries.ts'

const yesNo = (yes: boolean) => (yes ? t('支持') : t('不支持'))

const Found = ({ facts }: { facts: ProviderTest }) => (
  <FactList
    facts={[
      { label: t('登录地址'), value: <span className="mono anywhere">{facts.authorizationEndpoint}</span> },
      { label: t('范围'), value: <span className="mono anywhere">{facts.scopes.join(' ') || '—'}</span> },
      { label: t('应答带签发者'), value: yesNo(facts.namesItself) },
      { label: t('退出登录'), value: yesNo(facts.endsSessions) },
      { label: t('后端退出通知'), value: yesNo(facts.backChannel) },
    ]}
  />
)

function Outcome({ result }: { result: ProviderTest }) {
  return (
    <Alert
      type={result.ok ? 'success' : 'error'}
      showIcon
      role="status"
      title={
        <span className="inline-row gap-8">
          {result.ok ? t('找到了登录服务') : t('没有找到登录服务')}
          <Latency ms={result.ms} />
        </span>
      }
      description={result.ok ? <Found facts={result} /> : <span className="anywhere">{result.msg}</span>}
    />
  )
}

/** Asks the issuer of the form what it is; nothing is stored. */
export function TestProvider({ form }: { form: FormInstance }) {
  const { mutate, data, error, isPending } = useTestProvider()
  const run = async () => {
    try {
      const { issuer } = (await form.validateFields(['issuer'])) as { issuer: string }
      mutate({ issuer })
    } catch {
      // The field says what is wrong with it.
    }
  }
  return (
    <May needs={testProvider}>
      <div className="column gap-12 below-16">
        <span className="wrap inline-row gap-8">
          <Button icon={<ApiOutlined />} loading={isPending} onClick={() => void run()}>
            {t('测试连接')}
          </Button>
          <span className="meta">{t('读取对方公布的配置，不会保存')}</span>
        </span>
        {!isPending && data && <Outcome result={data} />}
        {!isPending && error && <Alert type="error" showIcon title={describeError(error).reason} />}
      </div>
    </May>
  )
}

import {
  factorTrustLabels,
  factorTrusts,
  providerBody,
  readProvider,
  type SignOnProvider,
} from '@ithings/contract/features/sign-on.ts'
import { t } from '@ithings/contract/text.ts'
import { App, type FormInstance, Input, Radio, Switch } from 'antd'
import * as z from 'zod'
import { call } from '#api/call.ts'
import { FactList } from '#blocks/facts.tsx'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { StoredSecretField } from '#blocks/stored-secret-field.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { useCreateProvider, useUpdateProvider } from '../queries.ts'
import { RoleSelect } from './role-select.tsx'
import { RulesInput } from './rules-input.tsx'
import { TestProvider } from './test-provider.tsx'
import './sign-on.css'

const providerForm = providerBody.extend({ clearSecret: z.boolean().optional() })
type Values = z.output<typeof providerForm>

const mono = { className: 'mono', autoComplete: 'off', spellCheck: false } as const

function Addresses({ provider }: { provider: SignOnProvider }) {
  return (
    <FactList
      facts={[
        { label: t('登录回调地址'), value: <Copyable text={provider.redirectUri} /> },
        { label: t('退出后返回地址'), value: <Copyable text={provider.signOutUri} /> },
        { label: t('后端退出通知地址'), value: <Copyable text={provider.backChannelUri} /> },
      ]}
    />
  )
}

function ProviderFields({ form, provider }: { form: FormInstance; provider: SignOnProvider | undefined }) {
  return (
    <>
      <Field name="name" label={t('名称')} extra={t('登录页按钮上显示的名称')}>
        <Input maxLength={32} showCount placeholder={t('例如：集团统一认证')} />
      </Field>
      <Field name="nameEn" label={t('英文名称')} extra={t('留空则两种语言都用名称')}>
        <Input maxLength={32} />
      </Field>
      <Field name="key" label={t('标识')} extra={t('回调地址的一部分，改动后须在对方重新登记')}>
        <Input {...mono} maxLength={32} placeholder="acme" />
      </Field>
      <h3 className="subtitle">{t('登录服务')}</h3>
      <Field name="issuer" label={t('签发者地址')} extra={t('Issuer，不含 /.well-known/openid-configuration')}>
        <Input {...mono} placeholder="https://id.example.com/realms/main" />
      </Field>
      <TestProvider form={form} />
      <Field name="clientID" label={t('客户端 ID')}>
        <Input {...mono} />
      </Field>
      <StoredSecretField
        label={t('客户端密钥')}
        extra={t('加密保存，不会再显示；公共客户端没有密钥，留空')}
        maxLength={1_024}
        saved={provider?.hasSecret === true}
      />
      <Field name="scopes" label={t('申请的范围')} extra={t('Scopes，用空格分隔，须包含 openid')}>
        <Input {...mono} />
      </Field>
      {provider && (
        <>
          <h3 className="subtitle">{t('在对方登记的地址')}</h3>
          <Addresses provider={provider} />
        </>
      )}
    </>
  )
}

function PeopleFields() {
  return (
    <>
      <h3 className="subtitle">{t('用户与角色')}</h3>
      <Field
        name="createUsers"
        label={t('首次登录时创建用户')}
        valuePropName="checked"
        extra={t('关闭后，只有管理员关联过的企业账号可以登录')}
      >
        <Switch />
      </Field>
      <Field name="userNameClaim" label={t('用户名的声明')} extra={t('声明可以用点号深入，例如 realm_access.roles')}>
        <Input {...mono} />
      </Field>
      <Field name="nickNameClaim" label={t('昵称的声明')}>
        <Input {...mono} />
      </Field>
      <Field name="emailClaim" label={t('邮箱的声明')}>
        <Input {...mono} />
      </Field>
      <Field name="rules" label={t('角色规则')} extra={t('按顺序判断，第一条符合的决定角色')}>
        <RulesInput />
      </Field>
      <Field name="defaultRole" label={t('没有规则符合时的角色')}>
        <RoleSelect none={t('不允许登录')} />
      </Field>
      <Field
        name="roleEachTime"
        label={t('每次登录都按规则更新角色')}
        valuePropName="checked"
        extra={t('关闭后只在首次登录时决定角色；最后一个有密码的管理员不会被降级')}
      >
        <Switch />
      </Field>
      <h3 className="subtitle">{t('两步验证与退出')}</h3>
      <Field
        name="factor"
        label={t('角色要求两步验证时')}
        extra={t('按声明：amr 含 mfa 或两类方法，或 acr 是下面列出的之一；否则拒绝登录')}
      >
        <Radio.Group options={factorTrusts.map((value) => ({ value, label: t(factorTrustLabels[value]) }))} />
      </Field>
      <Field name="acrValues" label={t('要求的 acr')} extra={t('登录时向对方提出，用空格分隔，可以留空')}>
        <Input {...mono} placeholder="urn:example:mfa" />
      </Field>
      <Field
        name="endSession"
        label={t('退出时也从对方退出')}
        valuePropName="checked"
        extra={t('对方支持时，退出平台后转到对方的退出页面')}
      >
        <Switch />
      </Field>
    </>
  )
}

const Fields = (props: { form: FormInstance; provider: SignOnProvider | undefined }) => (
  <div className="sign-on-form">
    <ProviderFields {...props} />
    <PeopleFields />
  </div>
)

interface FormProps {
  open: boolean
  onClose: () => void
}

const width = 720
const newProvider = {
  nameEn: '',
  secret: '',
  scopes: 'openid profile email',
  userNameClaim: 'preferred_username',
  nickNameClaim: 'name',
  emailClaim: 'email',
  createUsers: true,
  defaultRole: 0,
  rules: [],
  roleEachTime: true,
  factor: 'claims',
  acrValues: '',
  endSession: true,
} as const

export function CreateProviderForm({ open, onClose }: FormProps) {
  const { message } = App.useApp()
  const create = useCreateProvider()
  return (
    <FormDrawer
      title={t('新增企业登录')}
      open={open}
      onClose={onClose}
      width={width}
      schema={providerBody}
      initialValues={{ ...newProvider, rules: [] }}
      submitText={t('创建')}
      onSubmit={async (values) => {
        await create.mutateAsync(values)
        void message.success(t('创建成功，请打开编辑，把回调地址登记到对方'))
      }}
    >
      {(form) => <Fields form={form} provider={undefined} />}
    </FormDrawer>
  )
}

const formOf = ({ status: _status, ...fields }: SignOnProvider): Partial<z.input<typeof providerBody>> => ({
  ...fields,
  secret: '',
})

/** What is stored and not shown stays, unless another one is typed or it is taken away. */
const changesOf = ({ secret, clearSecret, status: _status, ...rest }: Values) => ({
  ...rest,
  ...(clearSecret ? { secret: '' } : secret !== '' && { secret }),
})

export function EditProviderForm({ provider, open, onClose }: FormProps & { provider: SignOnProvider }) {
  const { message } = App.useApp()
  const update = useUpdateProvider()
  const { id } = provider
  const stale = useStaleEdit(provider.rev, async () => {
    const latest = await call(readProvider, { id }, { quiet: true })
    return { ...formOf(latest), rev: latest.rev }
  })
  return (
    <FormDrawer
      title={t('编辑企业登录「{name}」', { name: provider.name })}
      open={open}
      onClose={onClose}
      width={width}
      schema={providerForm}
      initialValues={formOf(provider)}
      footerExtra={stale.action}
      onSubmit={async (values) => {
        await stale.guard((rev) => update.mutateAsync({ id, rev, ...changesOf(values) }))
        void message.success(t('更新成功'))
      }}
    >
      {(form) => {
        stale.bind(form)
        return <Fields form={form} provider={provider} />
      }}
    </FormDrawer>
  )
}

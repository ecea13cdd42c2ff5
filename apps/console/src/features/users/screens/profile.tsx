import { EditOutlined, KeyOutlined } from '@ant-design/icons'
import { builtInRoleLabels, sexLabels, type UserInfo, updateSelf } from '@ithings/contract/features/users.ts'
import { type Language, t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Avatar, Button, Descriptions, Input, Radio, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { sessionQuery } from '#api/session-query.ts'
import { useLanguageChoice } from '#api/use-language-choice.ts'
import { Copyable } from '#kit/copyable.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { paths } from '#kit/paths.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { languages } from '#language/language.ts'
import { sexOptions } from '../labels.ts'
import { ChangePasswordModal } from '../parts/change-password-modal.tsx'
import '../parts/profile.css'
import type * as z from 'zod'
import { call } from '#api/call.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { PasskeysCard } from '../parts/passkeys-card.tsx'
import { SecondFactorCard } from '../parts/second-factor-card.tsx'
import { SessionsCard } from '../parts/sessions-card.tsx'

const schema = updateSelf.body.pick({ nickName: true, phone: true, email: true, sex: true, rev: true })

const languageOptions = Object.entries(languages).map(([value, label]) => ({ label, value: value as Language }))

function ProfileModal({ info, ...opened }: { info: UserInfo; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const submit = async (values: z.output<typeof schema>) => {
    await call(updateSelf, { ...values, rev: info.rev }, { quiet: true })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void message.success(t('更新成功'))
  }
  const { nickName, phone, email, sex, rev } = info
  return (
    <FormModal
      {...opened}
      title={t('编辑个人信息')}
      schema={schema}
      initialValues={{ nickName, phone, email, sex, rev }}
      onSubmit={submit}
      layout="vertical"
      width={440}
    >
      <Field name="nickName" label={t('昵称')}>
        <Input maxLength={32} showCount />
      </Field>
      <Field name="phone" label={t('手机号')}>
        <Input maxLength={20} inputMode="tel" autoComplete="tel" />
      </Field>
      <Field name="email" label={t('邮箱')}>
        <Input maxLength={128} inputMode="email" autoComplete="email" />
      </Field>
      <Field name="sex" label={t('性别')}>
        <Radio.Group options={sexOptions()} />
      </Field>
    </FormModal>
  )
}

const roleName = (role: number) =>
  t((builtInRoleLabels as Record<number, string>)[role] ?? '自定义角色 {role}', { role })

function itemsOf(info: UserInfo) {
  return [
    { key: 'userName', label: t('用户名'), children: <Copyable text={info.userName} /> },
    { key: 'role', label: t('角色'), children: roleName(info.role) },
    { key: 'nickName', label: t('昵称'), children: info.nickName || '—' },
    { key: 'sex', label: t('性别'), children: labelOf(sexLabels, info.sex) },
    { key: 'phone', label: t('手机号'), children: info.phone || '—' },
    { key: 'email', label: t('邮箱'), children: info.email || '—' },
    { key: 'lastLoginTime', label: t('最近登录'), children: <TimeText value={info.lastLoginTime} /> },
    { key: 'lastIP', label: t('登录地址'), children: <Copyable text={info.lastIP} /> },
    { key: 'createdTime', label: t('创建时间'), children: <TimeText value={info.createdTime} mode="exact" /> },
  ]
}

/** 个人中心: what the platform knows about me, what I may change, and where I am signed in. */
export function Profile() {
  const phone = usePhone()
  const { language, choose } = useLanguageChoice()
  const { data, error, isFetching, refetch } = useQuery(sessionQuery)
  const [dialog, setDialog] = useState<'profile' | 'password'>()
  if (error && !data)
    return <ErrorState subject={t('个人信息')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return <PageSpinner />
  const { info } = data
  const name = info.nickName || info.userName
  const close = () => setDialog(undefined)

  return (
    <>
      <PageHeading title={t('个人中心')} subtitle={t('你的账号信息、登录密码、两步验证、通行密钥与登录设备')} />
      <section className="sheet profile-card">
        <div className="line-bottom row wrap" style={{ gap: '12px 16px', marginBottom: 20, paddingBottom: 16 }}>
          <Avatar size={48} src={info.headImgUrl || undefined} className="bold">
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          <div className="size-16 line-24 column grow bold">
            {name}
            <span className="meta regular">{roleName(info.role)}</span>
          </div>
          <div className="flex gap-8">
            <Button icon={<KeyOutlined />} onClick={() => setDialog('password')}>
              {t('修改密码')}
            </Button>
            <Button type="primary" icon={<EditOutlined />} onClick={() => setDialog('profile')}>
              {t('编辑')}
            </Button>
          </div>
        </div>
        <Descriptions column={phone ? 1 : 2} items={itemsOf(info)} styles={{ label: { minWidth: 88 } }} />
      </section>
      <section className="sheet profile-card row wrap gap-8">
        <span className="grow">
          <b>{t('语言')}</b> <span className="meta">{t('登录后，在其他浏览器里也使用这个语言')}</span>
        </span>
        <Segmented value={language} onChange={(value) => void choose(value)} options={languageOptions} />
      </section>
      <section className="sheet profile-card row wrap gap-8">
        <span className="grow">
          <b>{t('API 密钥')}</b> <span className="meta">{t('让程序以你的权限调用接口')}</span>
        </span>
        <Link to={paths.ownKeys}>
          <Button tabIndex={-1}>{t('管理密钥')}</Button>
        </Link>
      </section>
      <SecondFactorCard />
      <PasskeysCard />
      <SessionsCard />
      <ProfileModal info={info} open={dialog === 'profile'} onClose={close} />
      <ChangePasswordModal open={dialog === 'password'} onClose={close} />
    </>
  )
}

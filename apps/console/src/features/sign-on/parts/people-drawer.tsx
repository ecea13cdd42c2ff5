import { LinkOutlined } from '@ant-design/icons'
import {
  linkIdentity,
  type SignOnIdentity,
  type SignOnProvider,
  unlinkIdentity,
} from '@ithings/contract/features/sign-on.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Button, Input } from 'antd'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { RemotePicker } from '#kit/remote-picker.tsx'
import { May } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { identitiesQuery, useLinkIdentity, userSource, useUnlinkIdentity } from '../queries.ts'

const linkBody = linkIdentity.body.pick({ subject: true, userID: true })
const filters: FilterField[] = [{ name: 'userName', label: '用户名', control: 'text', width: 176 }]

const columns: ListColumn<SignOnIdentity>[] = [
  {
    key: 'userName',
    title: '用户名',
    hideable: false,
    phone: 'title',
    render: (_value, { userName, nickName }) => (
      <span className="column">
        <span>{userName}</span>
        {nickName !== '' && <span className="meta">{nickName}</span>}
      </span>
    ),
    exportText: ({ userName }) => userName,
  },
  {
    key: 'subject',
    title: '企业账号编号',
    truncate: 240,
    phone: 'subtitle',
    render: (_value, { subject }) => <span className="mono">{subject}</span>,
    exportText: ({ subject }) => subject,
  },
  {
    key: 'companyOnly',
    title: '密码登录',
    width: 104,
    phone: 'meta',
    exportText: ({ companyOnly }) => (companyOnly ? t('没有密码') : t('可以')),
  },
  { key: 'lastLoginTime', title: '最近登录', sorter: true, width: 140, phone: 'meta', time: 'relative' },
  { key: 'createdTime', title: '关联时间', sorter: true, width: 184, time: 'exact', phone: 'hide' },
]

function LinkForm({ provider, open, onClose }: { provider: SignOnProvider; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const link = useLinkIdentity()
  return (
    <FormModal
      title={t('关联企业账号')}
      open={open}
      onClose={onClose}
      schema={linkBody}
      submitText={t('关联')}
      onSubmit={async (values) => {
        await link.mutateAsync({ providerID: provider.id, ...values })
        void message.success(t('关联成功'))
      }}
    >
      <Field name="userID" label={t('用户')}>
        <RemotePicker source={userSource} placeholder={t('选择用户')} />
      </Field>
      <Field
        name="subject"
        label={t('企业账号编号')}
        extra={t('对方给这个人的固定编号（sub），登录被拒绝时的提示里有')}
      >
        <Input className="mono" maxLength={255} autoComplete="off" spellCheck={false} />
      </Field>
    </FormModal>
  )
}

function People({ provider }: { provider: SignOnProvider }) {
  const { about, open, session, show, close } = useDialog<'link'>()
  const { ask } = useActs()
  const unlink = useUnlinkIdentity()
  const askUnlink = ({ userName, subject, companyOnly }: SignOnIdentity) =>
    ask({
      title: t('解除用户「{userName}」的企业账号？', { userName }),
      content: companyOnly
        ? t('该用户没有密码，解除后不能登录，除非管理员重置密码或重新关联。')
        : t('该用户此后只能用密码登录。'),
      danger: true,
      okText: t('解除'),
      work: () => unlink.mutateAsync({ providerID: provider.id, subject }),
      done: t('已解除关联'),
    })
  const add = (
    <May needs={linkIdentity}>
      <Button icon={<LinkOutlined />} onClick={() => show('link')}>
        {t('关联企业账号')}
      </Button>
    </May>
  )
  return (
    <>
      <ListPage<SignOnIdentity, { userName?: string }>
        embedded
        title={t('企业账号')}
        urlPrefix="p_"
        filters={filters}
        columns={columns}
        rowKey="subject"
        storageKey="sign-on-people"
        defaultSort="createdTime.2"
        query={({ page, filters: wanted }) => identitiesQuery({ providerID: provider.id, page, ...wanted })}
        exportName={t('企业账号-{name}', { name: provider.name })}
        toolbar={add}
        rowActions={(one) => [
          { key: 'unlink', label: t('解除'), needs: unlinkIdentity, danger: true, onClick: () => askUnlink(one) },
        ]}
        empty={{
          title: t('还没有企业账号'),
          text: t('有人通过它登录后出现在这里；已有的用户由管理员关联。'),
        }}
      />
      {about && <LinkForm key={session} provider={provider} open={open} onClose={close} />}
    </>
  )
}

interface PeopleDrawerProps {
  provider: SignOnProvider
  open: boolean
  onClose: () => void
}

/** Who is known by a provider. */
export function PeopleDrawer({ provider, open, onClose }: PeopleDrawerProps) {
  return (
    <SideDrawer
      title={t('「{name}」的企业账号', { name: provider.name })}
      open={open}
      onClose={onClose}
      width={880}
      keep
    >
      <People provider={provider} />
    </SideDrawer>
  )
}

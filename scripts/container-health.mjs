// The health check of the container: ends with 0 when /readyz of the server beside it says 200, else with 1 and a reason.
import http from 'node:http'
import https from 'node:https'

const patienceMs = 8_000

/**
 * @param {NodeJS.ProcessEnv} env the environment of the server
 * @returns {Promise<string | undefined>} what is wrong
 */
export function whatIsWrong(env) {
  const { request } = env.TLS_CERT ? https : http
  const options = {
    host: '127.0.0.1',
    port: env.PORT || 7777,
    path: '/readyz',
    // The certificate is made for the name that people use, not for this address.
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(patienceMs),
  }
  return new Promise((resolve) => {
    request(options, (reply) => {
      resolve(reply.statusCode === 200 ? undefined : `/readyz answered ${reply.statusCode}`)
      reply.destroy()
    })
      .on('error', (error) => resolve(error.message))
      .end()
  })
}

if (import.meta.main) {
  const wrong = await whatIsWrong(process.env)
  if (wrong) console.error(wrong)
  process.exitCode = wrong ? 1 : 0
}

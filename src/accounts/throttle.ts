export type ThrottledPurpose = 'sign-in' | 'register' | 'password' | 'binding' | 'mail'

/** Takes one try of an address, and of what is tried at; refuses with rate_limited. */
export interface Throttle {
  take(purpose: ThrottledPurpose, address: string, subject: string): Promise<void>
}

internal import GatebookEvents

/// Says that nothing can be said: the web application has no URL that proves a session.
///
/// Only the gateway knows, when the communication client connects with the session's id.
///
/// ```
/// ready --start--> login.unprovable   nothing is sent
/// ```
struct FCSDKVerification: Authenticator {
  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    throw GatebookError(
      .loginUnprovable, "This server has no page that can confirm a session.",
      kept: "The session is unchanged.",
      remedy: "Connect to the gateway: it rejects a session that has ended.")
  }
}

/// A registration that the command `openssl dgst -sha256 -sign` signed with a key of 2048 bits,
/// which was thrown away.
enum RegistrationFixture {
  /// The body as it is sent.
  static let body =
    #"{"signedRegistrationData":{"header":"\#(header)","payload":"\#(payload)","#
    + #""signature":"\#(signature)"}}"#

  /// What was signed: version 1.0 of an application.
  static let payload = """
    eyJhcHBsaWNhdGlvbiI6eyJpZCI6ImNvbS5leGFtcGxlLmFwcCIsInZlcnNpb24iOiIxLjAiLCJjbGllbnRQbGF0Zm9ybS\
    I6ImFuZHJvaWQifSwiZGV2aWNlIjp7ImlkIjoiRDIiLCJwbGF0Zm9ybSI6ImFuZHJvaWQgNi4wIiwiaGFyZHdhcmUiOiJw\
    aG9uZSJ9LCJhdHRyaWJ1dGVzIjp7InNka19wcm90b2NvbF92ZXJzaW9uIjoxfX0
    """

  /// The same with version 1.1.
  static let other = """
    eyJhcHBsaWNhdGlvbiI6eyJpZCI6ImNvbS5leGFtcGxlLmFwcCIsInZlcnNpb24iOiIxLjEiLCJjbGllbnRQbGF0Zm9ybS\
    I6ImFuZHJvaWQifSwiZGV2aWNlIjp7ImlkIjoiRDIiLCJwbGF0Zm9ybSI6ImFuZHJvaWQgNi4wIiwiaGFyZHdhcmUiOiJw\
    aG9uZSJ9LCJhdHRyaWJ1dGVzIjp7InNka19wcm90b2NvbF92ZXJzaW9uIjoxfX0
    """

  /// The header with the key.
  private static let header = """
    eyJhbGciOiJSUzI1NiIsImp3ayI6eyJrdHkiOiJSU0EiLCJuIjoiclJIZVNmZzNJSnFPN3Y4SGFkQXc3VVM2eEpfOUpEY3\
    JDRkp1VnJBTG1nbjI0RjlVbl9ubXprV09MMGYyQWF4VWVqakpfcFdZeW5qSldUbXRuSm90NGNoakZHUXdzN0hTUHhwRWpl\
    cEw1YXhyZm05R2NGN1B5ZkxnR2ZQWVc1bmxnWDUwSVlXSWhjdmtEWVQzYkpmMEd6aElfNkh0VXpUbldKWGpuZ0xUdlgyXz\
    AxajMySVZXbDdkN2w4Sl9XdktSeEVwMVdDMEVjak80amV5U0JVbGhieFRibUVneUQyOThVRW91QnFnTkNUNXh3UWVqbkdN\
    S2FBLTBFRk9hVThnZzJlRHg4LUxxZG9oejdrR2lUVC05ckEtTVZ3M3ZxWFk4V2RydHFjOGVyTmZ5TGZ2UndxYW1pNEhMdH\
    VFN2hVdFA0OTBxdkd6MmxYT2lfaEJDU3lJNjh3IiwiZSI6IkFRQUIifX0
    """

  /// The signature over header and payload.
  private static let signature = """
    LpGsDWNnun_STcHx-BCL5NShSON3Tkjj_3Q01BiBokcRCCU3Nv6j2645N2_WTOM6hEa3NVJCdrPyBuRol0zUFoms2HUEeA\
    spksjIikO1e-KMuO3XKBlD4P3ARTl_TMMFBc2BhLsnlpzykAf20hflPeEvK1gupIVYU-B-DS2fmu9VT_iVEnPCHG8leZU9\
    0xL7ll-TNMo2AFxnk2tkJGPs75jz7nZtgqY4bqESela9tFeMygvCjqbadUSmfM0jNYU19XxCdfBCcjdtVuWdkBfLGtpFu9\
    guoRKfGjQ75QelXtFqzOl4VqPQ5m-1qyqcObKb5EV6SIozjJwXNkQ_pOlYrg
    """
}

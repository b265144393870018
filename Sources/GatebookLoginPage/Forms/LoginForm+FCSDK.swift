public import Gatebook

extension LoginForm {
  /// The account settings of a Fusion client gateway, and its login.
  ///
  /// Server, port, TLS, cookies and whether to accept a certificate that cannot be verified are
  /// fields of the form, filled in from the gateway.
  ///
  /// Source: FCSDK for iOS, sample client: the login view.
  ///
  /// - Parameters:
  ///   - given: What is filled in at first, and the path and the header field, which no other
  ///     server gets; `nil` for an empty form.
  ///   - path: The path of the login where there is no gateway.
  ///   - user: What is filled in at first.
  ///   - acceptsCertificates: Whether the switch for certificates is on at first.
  /// - Returns: The form.
  public static func fcsdk(
    _ given: FCSDKGateway? = nil, path: String = FCSDKGateway.samplePath, user: String = "",
    acceptsCertificates: Bool = false
  ) -> LoginForm {
    let (path, field) = (given?.path ?? path, given?.field)
    let fields = [
      LoginField("server", .host, .known(.server), value: given?.server ?? ""),
      LoginField("port", .port, .known(.port), value: "\(given?.port ?? 8443)"),
      .toggle("secure", .useTLS, isOn: given?.secure ?? true, hint: .useTLSHint),
      .toggle("useCookies", .useCookies, isOn: given?.useCookies ?? true),
      .toggle(
        "acceptsCertificates", .trustCertificate, isOn: acceptsCertificates,
        hint: .trustCertificateHint), .user(user), .password,
    ]
    var form = LoginForm(
      server: "", fields: fields
    ) { answers, book, options throws(GatebookError) in
      let gateway = try FCSDKGateway(
        server: answers["server"], port: Int(answers["port"]), secure: answers.isOn("secure"),
        path: path, useCookies: answers.isOn("useCookies"),
        // It may be a key, so no other server gets it.
        field: answers["server"] == given?.server && answers["port"] == "\(given?.port ?? 0)"
          ? field : nil)
      return try await book.logIn(
        .fcsdk(gateway, user: answers.user, password: answers.secret()), options: options)
    }
    form.asksAboutCertificates = { $0.isOn("acceptsCertificates") }
    form.asksForOtherPasswords = true
    return form
  }
}

extension PageWords {
  /// Spanish.
  static let spanish: [PageText: String] = [
    .logIn: "Iniciar sesión",
    .chooseAccount: "Elija una cuenta",
    .checkServer: "¿Es este el servidor correcto?",
    .proxyPassword: "El proxy solicita una contraseña",
    .serverPassword: "El servidor solicita una contraseña",
    .working: "Iniciando sesión",
    .loggedIn: "Ha iniciado sesión",
    .usingAccount: "Continúa con esta cuenta",
    .cancelled: "Se canceló el inicio de sesión",
    .expired: "Esta página ha caducado",
    .failed: "No se pudo iniciar sesión",
    .notForYou: "Esta página no está disponible",

    .introAccounts: "Las cuentas activas no necesitan contraseña.",
    .introWorking: "Esperando a {0}.",
    .introLoggedIn: "Ya puede cerrar esta ventana.",
    .introElsewhere: "Continúe en la página de {0}, que se abre en otra ventana.",
    .introCancelled: "No se modificó ninguna sesión. Ya puede cerrar esta ventana.",
    .introExpired:
      "No se modificó ninguna sesión. Inicie sesión de nuevo para obtener una página nueva.",
    .introFailed: "Ya puede cerrar esta ventana.",
    .introNotForYou:
      "Esta página pertenece a otro navegador. Para entrar, inicie sesión de nuevo.",
    .introAlreadyOpened:
      "Esta página ya se abrió antes en otro navegador. Si no fue usted, cancele el inicio de sesión donde lo empezó.",
    .introCertificate:
      "No se puede verificar el certificado de {0}. Compare la clave con la que indica su administrador.",
    .introProxy:
      "{0} está entre este equipo y el servidor. Su contraseña no es la del servidor.",
    .introRealm: "{0} llama a esta área «{1}».",
    .codeLabel: "Código",
    .codeHint: "Inicie sesión solo si la aplicación o el terminal muestra el mismo código.",
    .worksUntil: "Esta página solo funciona en este navegador. Válida hasta: {0}.",
    .alreadySent:
      "Este formulario ya se había enviado. Aquí se muestra el estado actual del inicio de sesión.",

    .user: "Nombre de usuario",
    .email: "Correo electrónico",
    .screenName: "Nombre de usuario",
    .userID: "ID de usuario",
    .password: "Contraseña",
    .clientSecret: "Secreto del cliente",
    .server: "Servidor",
    .port: "Puerto",
    .useTLS: "Usar TLS",
    .useTLSHint: "Sin TLS, otras personas de la red pueden leer la contraseña.",
    .useCookies: "Usar cookies",
    .trustCertificate: "Aceptar un certificado que no se puede verificar",
    .trustCertificateHint: "Se mostrará su clave antes de enviar nada.",
    .staySignedIn: "Mantener la sesión iniciada",
    .staySignedInHint:
      "Guarda la contraseña cifrada para que la aplicación pueda volver a iniciar sesión.",
    .rememberMe: "Recordarme",
    .rememberMeHint: "Pide al servidor que no solicite la contraseña durante un tiempo.",
    .keepForSession: "Conservar la contraseña hasta que termine la sesión",

    .submit: "Iniciar sesión",
    .cancel: "Cancelar",
    .continueAs: "Continuar",
    .logInAgain: "Volver a iniciar sesión",
    .acceptCertificate: "Aceptar esta clave",
    .refuseCertificate: "No conectar",
    .showPassword: "Mostrar",
    .hidePassword: "Ocultar",

    .certificateKey: "Clave (SHA-256)",
    .certificateNames: "Emitido para",
    .certificateIssuer: "Emitido por",
    .certificateValid: "Validez",
    .certificateDefects: "Problema",
    .defectExpired: "Ha caducado.",
    .defectNotYetValid: "Todavía no es válido.",
    .defectWrongHost: "Se emitió para otro servidor.",
    .defectSelfSigned: "Lo emitió el propio servidor.",
    .defectUnknownAuthority: "Lo emitió una autoridad desconocida.",
    .defectRevoked: "Su emisor lo ha revocado.",
    .defectBadSignature: "Su firma no es válida.",
    .defectOther: "No se puede usar para esta conexión.",
    .loginForm: "Formulario de inicio de sesión",
    .account: "Cuenta",
    .attemptsLeft: "Intentos restantes: {0}.",

    .stateActive: "Activa",
    .stateOffline: "Sin conexión",
    .stateChallenged: "El servidor hace una pregunta",
    .stateUncertain: "Incierta",
    .stateNeedsLogin: "Requiere iniciar sesión",
    .stateEnded: "Finalizada",

    .missing: "Rellene este campo.",
    .notANumber: "Introduzca un número.",
    .notAPort: "Introduzca un número del 1 al 65535.",
    .notAServer:
      "Introduzca un nombre de host o una dirección IP, por ejemplo gateway.example.",
    .tooLong: "El texto es demasiado largo.",
    .notText: "El texto contiene un carácter que no se puede enviar.",
    .clientSecretWanted: "El servidor exige el secreto de este cliente.",

    .wrongCredentials: "El servidor no aceptó el nombre de usuario y la contraseña.",
    .blocked: "El servidor ha bloqueado temporalmente los intentos.",
    .unreachable: "No se puede conectar con {0}. Compruebe la dirección y la red.",
    .serverInTrouble: "{0} tiene un problema. Inténtelo de nuevo más tarde.",
    .serverRefused: "{0} rechazó el inicio de sesión.",
    .unexpectedAnswer:
      "La respuesta de {0} no corresponde a este método de inicio de sesión.",
    .untrustedCertificate: "No se puede verificar el certificado de {0}. No se envió nada.",
    .changedCertificate:
      "{0} tiene una clave distinta de la que se aceptó. Es posible que alguien esté interceptando la conexión. No se envió nada.",
    .cleartext: "Sin TLS, la contraseña no se envía a otro equipo.",
    .unprovable:
      "{0} no demostró quién inició sesión, por lo que no se creó ninguna sesión.",
    .anotherUser:
      "{0} inició sesión con un usuario distinto del de esta cuenta. No se modificó ninguna sesión.",
    .wrongSettings: "Un ajuste de este inicio de sesión no es válido para {0}.",
    .inProgress: "Ya hay otro inicio de sesión en curso para esta cuenta.",
    .tooLate: "Se agotó el tiempo de espera. No se modificó ninguna sesión.",
    .bookFull: "El disco está lleno, por lo que no se pudo guardar la sesión.",
    .bookUnusable: "No se pudo guardar la sesión.",
    .outcomeUnknown:
      "La conexión se cortó antes de recibir la respuesta. Es posible que el servidor haya iniciado la sesión.",
    .otherFailure: "No se pudo iniciar sesión.",
  ]
}
